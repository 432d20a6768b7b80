/**
 * Titles and asides that never end a sentence, in all supported languages, lower case, without their last full stop.
 */
export const NEVER_END_SENTENCE: ReadonlySet<string> = words(`
  mr mrs ms dr dra prof profa prof.ssa rev hon messrs st sig sigg sig.ra dott dott.ssa avv geom egr gent spett sr sra sres
  srta hr fr dipl mm mme mlle dhr mevr mw drs
  e.g i.e viz vs cf z.b d.h u.a o.ä i.d.r vgl bzw zzgl inkl exkl evtl ggf
  p.es ad p.ej ej p.ex bijv bv d.w.z o.a incl excl`);

/** German abbreviations that never end a sentence. Some are words of other languages, such as Italian "mio". */
export const NEVER_END_SENTENCE_IN_GERMAN: ReadonlySet<string> = words("ca mio mrd tsd lt gem einschl abzgl");

/** Abbreviations that precede a number. Some are words too, so they join only with a number after them. */
export const PRECEDES_NUMBER: ReadonlySet<string> = words(`
  no nos nr nrn núm num nº n p pp pag pagg pág págs pg s ss blz art artt arts par para abs ziff sec sect sez lett ch cap kap vol bd
  fig figs tab tel tél tlf ext int ca circa c approx aprox env ecc max máx min mín mind av avda apt dept
  jan feb mar apr jun jul aug sep sept oct nov dec gen mag giu lug ago set ott dic ene abr mär mai okt dez janv févr avr
  juil août déc fev out mrt mei`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
