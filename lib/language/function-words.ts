import { LANGUAGES, type Language } from "../languages.ts";

export { LANGUAGES, type Language };

/**
 * Function words by language: articles, pronouns, prepositions, conjunctions, auxiliaries, question words and the
 * most common adverbs, in the tokens of the tokeniser ("don't" becomes "don" and "t"). Search uses them as stop words, and
 * language detection as votes, because they are the clearest sign of a language.
 */
export const FUNCTION_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words(`
    a an the and or but nor so if then than as because while although though unless until since whether
    of at by for with about against between among into through during before after above below to from up down in out
    on off over under again further within without upon toward towards onto per via across along around behind beside
    i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves one ones someone anyone everyone something anything everything
    what which who whom whose this that these those when where why how here there
    am is are was were be been being have has had having do does did doing done will would shall should can could may
    might must ought cannot let lets get gets got getting
    not no yes don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn needn ain
    s t d m ll re ve im ive dont cant didnt doesnt isnt wont
    all any both each few more most other another some such only own same too very just also even ever still yet
    now once much many lot lots quite rather really please thanks thank hi hello ok okay
    else however therefore thus hence whatever whichever whoever whenever wherever
    said say says tell know want wants wanted need needs needed like would going go goes`),
  it: words(`
    il lo la i gli le l un uno una di a da in con su per tra fra del dello della dell dei degli delle al allo alla all ai
    agli alle dal dallo dalla dall dai dagli dalle nel nello nella nell nei negli nelle sul sullo sulla sull sui sugli
    sulle col coi e ed o od ma se perché perchè perche anche come dove dov quando che chi cui non né più piu meno quale
    quali qual quanto quanta quanti quante cosa cos com c è ciò cioè quindi dunque però pero mentre poiché affinché
    io tu lui lei noi voi loro me te sé se stesso stessa stessi stesse mi ti ci vi si ne li mio mia miei mie tuo tua tuoi
    tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre questo questa questi queste quest quello
    quella quelli quelle quell quel quei quegli tutto tutta tutti tutte altro altra altri altre alcuni alcune qualche
    ogni ognuno nessuno nessuna niente nulla qualcosa qualcuno qui qua lì là
    sono sei siamo siete era ero eri eravamo eravate erano sarà saranno sarò sarei sarebbe sarebbero sia siano fu furono
    essere stato stata stati state essendo ho hai ha abbiamo avete hanno avevo avevi aveva avevamo avevano avrò avrà avranno avrei
    avrebbe abbia abbiano avere avuto avendo posso puoi può possiamo potete possono potrei potrebbe potere devo devi deve
    dobbiamo dovete devono dovrei dovrebbe dovere voglio vuoi vuole vogliamo volete vogliono vorrei vorrebbe
    faccio fai fa facciamo fate fanno fare fatto sto stai sta stiamo state stanno viene vengono
    già ancora poi così molto molta molti molte poco troppo tanto solo sempre mai dopo prima senza sotto sopra contro
    verso durante presso entro oltre fino oppure sì no grazie ciao salve buongiorno prego`),
  es: words(`
    el la los las lo un una unos unas de del a al en con por para sin sobre entre hasta desde hacia contra durante
    mediante según tras ante bajo y e o u ni pero mas sino aunque porque pues que si como cuando donde mientras
    qué quién quiénes quien quienes cuál cuáles cual cuales cuánto cuánta cuántos cuántas cuanto cuanta cuantos cuantas cómo
    cuándo dónde adónde yo tú él ella ello nosotros nosotras vosotros vosotras ellos ellas usted ustedes me te se nos os
    le les mí ti sí conmigo contigo mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros
    vuestras mío mía míos mías tuyo tuya suyo suya suyos suyas este esta estos estas esto ese esa esos esas eso aquel
    aquella aquellos aquellas aquello otro otra otros otras mismo misma mismos mismas todo toda todos todas algún alguno
    alguna algunos algunas ningún ninguno ninguna nada nadie algo alguien cada tal tales
    ser soy eres es somos sois son era eras éramos eran fui fue fuimos fueron será serán sería serían sea sean sido siendo
    estar estoy estás está estamos están estaba estaban estuvo estuvieron esté estén estado estando haber he has ha hemos
    han había habían hay hubo habrá habría haya hayan habido tener tengo tienes tiene tenemos tienen tenía tenían tuvo tenga
    puedo puedes puede podemos pueden podría podrían poder debo debe deben debería quiero quiere quieren hacer hago hace
    hacen hizo no más menos muy mucho mucha muchos muchas poco poca pocos pocas tan tanto también tampoco ya aún todavía
    así entonces luego solo sólo siempre nunca antes después ahora aquí allí ahí bien gracias hola`),
  de: words(`
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines und oder aber
    sondern denn weil dass daß ob wenn als wie so also doch jedoch damit dabei dafür dagegen daher darum deshalb deswegen
    dann da dadurch dazu davon darauf daran darüber daraus darin in im an am auf aus bei beim bis durch für gegen mit
    nach ohne seit über um unter von vom vor zu zum zur zwischen während wegen trotz hinter neben ins ans
    ich du er sie es wir ihr mich dich sich uns euch ihm ihn ihnen mir dir mein meine meinen meinem meiner meines dein
    deine deinen deinem deiner deines sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres unser unsere
    unseren unserem unserer unseres euer eure euren eurem eurer dieser diese dieses diesen diesem jener jene jenes jenen
    jenem jeder jede jedes jeden jedem alle aller alles allen allem man jemand niemand etwas nichts selbst derselbe
    dieselbe dasselbe solche solcher solches solchen manche mancher einige einiger einigen viel viele vielen vieler mehr
    welche welcher welches welchen welchem wer wen wem wessen was wo wohin woher wann warum wieso weshalb womit wofür
    wozu woran worauf wodurch worin wovon
    bin bist ist sind seid war warst waren wart wäre wären gewesen habe hast hat haben habt hatte hatten hätte hätten
    gehabt werde wirst wird werden werdet wurde wurden würde würden worden geworden kann kannst können könnt konnte
    konnten könnte könnten muss muß musst müssen müsst musste mussten müsste soll sollst sollen sollte sollten will
    willst wollen wollte wollten möchte möchten darf darfst dürfen durfte mag lassen gibt tun
    nicht noch nur nun schon sehr auch immer nie wieder bereits mal einmal hier dort jetzt eben etwa bitte danke hallo
    ja nein anderer andere anderen anderes anderem ander`),
  fr: words(`
    le la les l un une des du de d au aux à a en dans par pour sur sous avec sans entre vers chez contre depuis pendant
    avant après jusque jusqu selon dès parmi malgré et ou où mais donc or ni car si que qu qui quoi dont lorsque lorsqu
    quand comme comment pourquoi combien parce puisque puisqu afin quel quelle quels quelles lequel laquelle lesquels
    lesquelles auquel duquel desquels je j tu il elle on nous vous ils elles me m te t se s lui leur leurs y moi toi soi
    eux mon ma mes ton ta tes son sa ses notre nos votre vos ce c cet cette ces cela ça ceci celui celle ceux celles
    même mêmes autre autres tout toute tous toutes quelque quelques chaque aucun aucune plusieurs certains certaines
    rien personne quelqu chose
    être suis es est sommes êtes sont étais était étions étiez étaient serai seras sera serons serez seront serais serait
    seraient sois soit soient fut furent fût été étant avoir ai as avons avez ont avais avait avions aviez avaient aurai
    auras aura aurons aurez auront aurais aurait auraient aie ait aient eut eurent eu ayant faire fais fait faites font
    faut peux peut pouvons pouvez peuvent pourrait pourrais pouvoir dois doit devons devez doivent devrait devrais veux
    veut voulons voulez veulent voudrais vais va allons allez vont
    ne n pas plus moins non oui très trop peu beaucoup aussi encore déjà toujours jamais ici là alors ainsi bien
    seulement lors voici voilà merci bonjour`),
  pt: words(`
    o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para pra com sem sob
    sobre entre até desde contra perante após ante ao à aos às e ou mas nem porém pois porque porquê que se como quando
    onde enquanto embora quem qual quais quanto quanta quantos quantas quê eu tu ele ela nós vós eles elas você vocês me
    te lhe lhes vos mim ti si comigo meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas
    vosso vossa dele dela deles delas este esta estes estas isto esse essa esses essas isso aquele aquela aqueles
    aquelas aquilo deste desta destes destas desse dessa disso nesse nessa neste nesta outro outra outros outras mesmo
    mesma mesmos mesmas todo toda todos todas tudo algum alguma alguns algumas nenhum nenhuma nada ninguém algo alguém
    cada qualquer
    ser sou és é somos são era eras éramos eram fui foi fomos foram será serão seria seriam seja sejam sido sendo estar
    estou está estamos estão estava estavam esteve estiveram esteja estejam estado ter tenho tens tem têm temos tinha
    tinham teve tiveram terá terão teria tenha tenham tido haver há houve havia haja posso podes pode podemos podem
    poderia poder devo deve devem deveria quero quer querem fazer faço faz fazem fez vou vai vão
    não mais menos muito muita muitos muitas pouco tão tanto também já ainda só sempre nunca antes depois agora aqui ali
    lá assim então bem sim obrigado obrigada olá`),
  nl: words(`
    de het een en of maar want dus omdat doordat zodat terwijl hoewel als dan dat die dit deze daar er hier
    in op aan van voor met bij naar uit over onder tegen door om te tot zonder na tijdens tussen binnen buiten sinds
    volgens af achter naast ik je jij u hij ze zij wij we jullie hem haar hen hun mij me jou ons zich mijn jouw uw zijn
    onze elkaar zelf dezelfde hetzelfde wie wat waar wanneer waarom hoe welke welk hoeveel waarmee waarvoor waarvan
    waarop waarin waaraan ben bent is was waren geweest wees wezen heb hebt heeft hebben had hadden gehad word wordt
    worden werd werden geworden zal zult zullen zou zouden kan kunt kunnen kon konden moet moeten moest moesten mag mogen
    mocht wil wilt willen wilde wilden doe doet doen deed gedaan ga gaat gaan laat laten
    niet geen niets iets iemand niemand alle alles al allen elk elke ieder iedere ander andere anderen veel vele meer
    minder meest sommige enkele nog ook wel al reeds nu toen toch zo zeer erg heel altijd nooit weer eens even alleen
    maar ja nee graag dank bedankt hallo`),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
