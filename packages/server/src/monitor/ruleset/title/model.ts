import { axeTextsDe } from '@clearway/contract/monitor/ruleset/axe/de.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeTextsEs } from '@clearway/contract/monitor/ruleset/axe/es.ts'
import { axeTextsFr } from '@clearway/contract/monitor/ruleset/axe/fr.ts'
import { axeTextsIt } from '@clearway/contract/monitor/ruleset/axe/it.ts'
import { axeTextsJa } from '@clearway/contract/monitor/ruleset/axe/ja.ts'
import type { AxeTexts } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { driveTextsDe } from '@clearway/contract/monitor/ruleset/drive/de.ts'
import { pdfTextsDe } from '@clearway/contract/monitor/ruleset/pdf/de.ts'
import { driveTextsEn } from '@clearway/contract/monitor/ruleset/drive/en.ts'
import { pdfTextsEn } from '@clearway/contract/monitor/ruleset/pdf/en.ts'
import { driveTextsEs } from '@clearway/contract/monitor/ruleset/drive/es.ts'
import { pdfTextsEs } from '@clearway/contract/monitor/ruleset/pdf/es.ts'
import { driveTextsFr } from '@clearway/contract/monitor/ruleset/drive/fr.ts'
import { pdfTextsFr } from '@clearway/contract/monitor/ruleset/pdf/fr.ts'
import { driveTextsIt } from '@clearway/contract/monitor/ruleset/drive/it.ts'
import { pdfTextsIt } from '@clearway/contract/monitor/ruleset/pdf/it.ts'
import { driveTextsJa } from '@clearway/contract/monitor/ruleset/drive/ja.ts'
import { pdfTextsJa } from '@clearway/contract/monitor/ruleset/pdf/ja.ts'
import type { DriveTexts } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { PdfTexts } from '@clearway/contract/monitor/ruleset/pdf/model.ts'
import type { Language } from '@clearway/contract/monitor/user/schema.ts'

const textsByLanguage: Readonly<Record<Language, readonly [AxeTexts, PdfTexts, DriveTexts]>> = {
  de: [axeTextsDe, pdfTextsDe, driveTextsDe],
  en: [axeTextsEn, pdfTextsEn, driveTextsEn],
  es: [axeTextsEs, pdfTextsEs, driveTextsEs],
  fr: [axeTextsFr, pdfTextsFr, driveTextsFr],
  it: [axeTextsIt, pdfTextsIt, driveTextsIt],
  ja: [axeTextsJa, pdfTextsJa, driveTextsJa],
}
const ruleTitles = Object.values(textsByLanguage)
  .flat()
  .flatMap(({ rules }) => Object.entries(rules).map(([rule, [title]]) => [rule, title.toLowerCase()] as const))

/** Rules whose title contains a text, in any language. */
export const findRulesByTitle = (searchText: string): string[] => {
  const lowerCaseText = searchText.toLowerCase()
  return [...new Set(ruleTitles.filter(([, title]) => title.includes(lowerCaseText)).map(([rule]) => rule))]
}

const englishTitles = new Map(
  textsByLanguage.en.flatMap(({ rules }) => Object.entries(rules).map(([rule, [title]]) => [rule, title])),
)

/** Title of a rule in English, as on the screens. Rules that we do not know have the text of their engine. */
export const getRuleTitle = (rule: string, help: string): string => englishTitles.get(rule) ?? help
