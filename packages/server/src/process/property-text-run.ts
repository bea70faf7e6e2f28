/** Meaning of properties that only runs have, by name. */
export const runPropertyTexts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    chosenScore: 'The same for the pages that were chosen to represent the site',
    error: 'Distance from the score of the run within which the score of the whole site is, in nine of ten cases',
    sample:
      'Error of the score, and the result of pages chosen at random; null if the page limit left nothing out, or for too few of these pages',
    'ScoreSample.pages': 'Number of pages chosen at random that are part of the score',
    'ScoreSample.score': 'Result of these pages alone, by their health, from 0 to 1',
  }),
)
