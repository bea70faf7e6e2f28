import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { scanRoleNames } from '@clearway/contract/monitor/access/schema.ts'
import { languages, type Language } from '@clearway/contract/monitor/user/schema.ts'
import { firstSpoken } from '../../kit/language.ts'

/** The browser's preferred language that we support (`accept-language`); null for none. */
export const findSpokenLanguage = (header: string | undefined): Language | null => firstSpoken(header, languages)

/** Parses a role written as "Scan Viewer", ignoring case and spaces; null for any other word. */
export function parseRoleName(roleName: string): ScanRole | null {
  const normalizeWord = (text: string) => text.replaceAll(/[\s_-]+/g, '').toLowerCase()
  const matchingEntry = Object.entries(scanRoleNames).find(([, words]) => normalizeWord(words) === normalizeWord(roleName))
  return (matchingEntry?.[0] as ScanRole | undefined) ?? null
}
