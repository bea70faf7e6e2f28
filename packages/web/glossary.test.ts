import { describe, expect, it } from 'vitest'
import { glossaryFaults, glossaryOf, readGlossary } from './glossary.ts'

const page = `## Glossary

| English | German |
| --- | --- |
| Run | Lauf |

## Not these

| Language | Not | But |
| --- | --- | --- |
| English | mend, mended | fix |
| German | Etikett | Label |
| Japanese | 不備 | 問題 |
`
const faults = (locale: string, ...said: [string, string][]) =>
  glossaryFaults(glossaryOf(page), locale, new Map(said))

describe('the glossary', () => {
  it('finds no fault where every term is its own', () => expect(faults('de', ['Run', 'Lauf'])).toEqual([]))

  it('names a term that is translated otherwise', () =>
    expect(faults('de', ['Run', 'Durchlauf'])).toEqual(['“Run” is “Durchlauf”, docs/WORDS.md says “Lauf”']))

  it('names a term that no screen says', () =>
    expect(faults('de')).toEqual(['“Run” is a term of docs/WORDS.md that no screen says']))

  it('names a word that is not used, in its own language and only in whole', () => {
    expect(faults('en', ['Run', 'Run'], ['Mend it', 'Mend it'])).toEqual([
      '“Mend it” says “mend”, docs/WORDS.md says “fix”',
    ])
    expect(faults('en', ['Run', 'Run'], ['Recommended', 'Recommended'])).toEqual([])
    expect(faults('de', ['Run', 'Lauf'], ['x', 'mend']).length).toBe(0)
    expect(faults('ja', ['Run', ''], ['Issues', '多くの不備です'])).toHaveLength(1)
  })

  it('has 60 terms in six languages', async () => {
    const { terms, avoided } = await readGlossary()
    expect(terms.length).toBeGreaterThanOrEqual(60)
    for (const row of terms) expect([...row.values()].filter((term) => term !== '')).toHaveLength(6)
    expect(avoided.length).toBeGreaterThan(10)
  })
})
