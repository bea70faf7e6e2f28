import { describe, expect, it } from 'vitest'
import { findGlossaryFaults, parseGlossary, readGlossary } from './glossary.ts'

const glossaryPage = `## Glossary

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
const findFaults = (locale: string, ...entries: [string, string][]) =>
  findGlossaryFaults(parseGlossary(glossaryPage), locale, new Map(entries))

describe('the glossary', () => {
  it('finds no fault if every term is translated as specified', () => expect(findFaults('de', ['Run', 'Lauf'])).toEqual([]))

  it('reports a term with a different translation', () =>
    expect(findFaults('de', ['Run', 'Durchlauf'])).toEqual(['“Run” is “Durchlauf”, docs/WORDS.md says “Lauf”']))

  it('reports a term that no screen uses', () =>
    expect(findFaults('de')).toEqual(['“Run” is a term of docs/WORDS.md that no screen uses']))

  it('reports an avoided word, only in its own language and only as a whole word', () => {
    expect(findFaults('en', ['Run', 'Run'], ['Mend it', 'Mend it'])).toEqual(['“Mend it” says “mend”, docs/WORDS.md says “fix”'])
    expect(findFaults('en', ['Run', 'Run'], ['Recommended', 'Recommended'])).toEqual([])
    expect(findFaults('de', ['Run', 'Lauf'], ['x', 'mend']).length).toBe(0)
    expect(findFaults('ja', ['Run', ''], ['Issues', '多くの不備です'])).toHaveLength(1)
  })

  it('has 60 terms in six languages', async () => {
    const { terms, avoided } = await readGlossary()
    expect(terms.length).toBeGreaterThanOrEqual(60)
    for (const row of terms) expect([...row.values()].filter((term) => term !== '')).toHaveLength(6)
    expect(avoided.length).toBeGreaterThan(10)
  })
})
