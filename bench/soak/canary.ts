/** A word of the other company's document that requests contain, so that a search across companies would find it. */
export const FOREIGN_WORD = "cobalt-heron-7714";
/** A text of the same document that no request contains. No response may contain it. */
export const CANARY = "umber-ibis-2093";
