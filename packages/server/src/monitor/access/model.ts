import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { roleNames } from '@clearway/contract/monitor/access/schema.ts'
import { languages, type Language } from '@clearway/contract/monitor/user/schema.ts'
import { firstSpoken } from '../../kit/language.ts'

/** The first of our languages that a browser asks for (`accept-language`); null when it asks for none of them. */
export const spokenIn = (header: string | undefined): Language | null => firstSpoken(header, languages)

/** The role that people write as "Scan Viewer", however they set capitals and spaces; null for any other word. */
export function roleCalled(name: string): ScanRole | null {
  const plain = (text: string) => text.replaceAll(/[\s_-]+/g, '').toLowerCase()
  const found = Object.entries(roleNames).find(([, words]) => plain(words) === plain(name))
  return (found?.[0] as ScanRole | undefined) ?? null
}
