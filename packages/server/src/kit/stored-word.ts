/** Words of `Word` that a list lacks, as a type that nothing has. */
type Missing<Word extends string, Words extends readonly Word[]> = [Word] extends [Words[number]]
  ? unknown
  : { missing: Exclude<Word, Words[number]> }

/**
 * Lists the words of a schema in the order of their numbers in the database: new ones go last. A list that lacks a word of the
 * schema does not compile.
 */
export const defineStoredWords =
  <Word extends string>() =>
  <const Words extends readonly Word[]>(words: Words & Missing<Word, Words>): Words =>
    words
