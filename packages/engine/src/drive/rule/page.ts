import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { findOtherLanguage } from '../language/detect.ts'
import { evaluate, readHits, type DriveHit, type Driver } from '../driver.ts'

async function findLanguageHits(driver: Driver): Promise<DriveHit[]> {
  const { declared, text } = await evaluate<{ declared: string; text: string }>(driver, 'clearwayDrive.page.readLanguage()')
  const otherLanguage = findOtherLanguage(declared, text)
  if (!otherLanguage) return []
  const hit = {
    rule: 'drive-page-language',
    verdict: otherLanguage.isCertain ? 'fail' : 'review',
    proof: `The page declares “${declared.slice(0, 20)}”, and its text is in “${otherLanguage.language}”`,
  }
  return readHits(driver, `[{ ...${JSON.stringify(hit)}, element: document.documentElement }]`)
}

/** Tests a page as it is. */
export async function drivePage(driver: Driver, rules: ReadonlySet<DriveRuleId>): Promise<DriveHit[]> {
  return [
    ...(rules.has('drive-image-file-name') ? await readHits(driver, 'clearwayDrive.page.findFileNameHits()') : []),
    ...(rules.has('drive-page-language') ? await findLanguageHits(driver) : []),
  ]
}
