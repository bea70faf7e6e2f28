import { axeTextsDe } from '@clearway/contract/monitor/ruleset/axe/de.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeTextsEs } from '@clearway/contract/monitor/ruleset/axe/es.ts'
import { axeTextsFr } from '@clearway/contract/monitor/ruleset/axe/fr.ts'
import { axeTextsIt } from '@clearway/contract/monitor/ruleset/axe/it.ts'
import { axeTextsJa } from '@clearway/contract/monitor/ruleset/axe/ja.ts'
import { pdfTextsDe } from '@clearway/contract/monitor/ruleset/pdf/de.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import { pdfTextsEs } from '@clearway/contract/monitor/ruleset/pdf/es.ts'
import { pdfTextsFr } from '@clearway/contract/monitor/ruleset/pdf/fr.ts'
import { pdfTextsIt } from '@clearway/contract/monitor/ruleset/pdf/it.ts'
import { pdfTextsJa } from '@clearway/contract/monitor/ruleset/pdf/ja.ts'

const ofAxe = [axeTextsEn, axeTextsDe, axeTextsEs, axeTextsFr, axeTextsIt, axeTextsJa]
const ofPdf = [pdfTextsEn, pdfTextsDe, pdfTextsEs, pdfTextsFr, pdfTextsIt, pdfTextsJa]
const titles = [...ofAxe, ...ofPdf].flatMap(({ rules }) =>
  Object.entries(rules).map(([rule, [title]]) => [rule, title.toLowerCase()] as const),
)

/** Rules whose title contains a text, in any of the languages that people read them in. */
export const rulesTitled = (text: string): string[] => {
  const wanted = text.toLowerCase()
  return [...new Set(titles.filter(([, title]) => title.includes(wanted)).map(([rule]) => rule))]
}
