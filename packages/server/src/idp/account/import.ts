import type { AccountImportFault } from '@clearway/contract/account/member/provider/schema.ts'
import { EmailAddress, mostInvited } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { roles, type SystemRole, systemRoles } from '@clearway/contract/kit/permission.ts'
import { CsvError, parse } from 'csv-parse/sync'
import * as z from 'zod/mini'

export type ImportedAccount = {
  line: number
  email: string
  firstName: string
  lastName: string
  role: MemberRole
}
type CsvRecord = { record: string[]; info: { lines: number } }

const fault = (line: number, code: AccountImportFault['code'], value = ''): AccountImportFault => ({
  line,
  code,
  value: value.slice(0, 300),
})
/** A role by its word: `admin`, `auditor`, `access`, or its name. */
function roleCalled(word: string): SystemRole | null {
  const wanted = word.trim().toLowerCase()
  const words = (role: SystemRole): string[] => {
    const facts: { name: string; claim?: string } = roles[role]
    return [role, facts.name, facts.claim ?? role].map((one) => one.toLowerCase())
  }
  return systemRoles.find((role) => role !== 'outsider' && words(role).includes(wanted)) ?? null
}

function recordsOf(content: string): CsvRecord[] | AccountImportFault {
  try {
    const head = content.split(/\r?\n/, 1)[0] ?? ''
    return parse(content, {
      bom: true,
      delimiter: head.includes(';') && !head.includes(',') ? ';' : ',',
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: mostInvited + 2,
    }) as unknown as CsvRecord[]
  } catch (error) {
    return fault(error instanceof CsvError && typeof error.lines === 'number' ? error.lines : 1, 'unreadable')
  }
}

/**
 * Reads a CSV file of people (email, first name, last name, role; the last three may be left out).
 * @returns everybody, or every fault with its line
 */
export function readAccounts(content: string): { accounts: ImportedAccount[]; errors: AccountImportFault[] } {
  const failed = (...errors: AccountImportFault[]) => ({ accounts: [], errors })
  if (content.replace(/^\uFEFF/, '').trim() === '') return failed(fault(1, 'empty'))
  const records = recordsOf(content)
  if (!Array.isArray(records)) return failed(records)
  const [head, ...body] = records
  const names = (head?.record ?? []).map((name) => name.toLowerCase().replaceAll(/[\s_-]+/g, ' '))
  if (!names.includes('email')) return failed(fault(1, 'missing-column', 'email'))
  if (body.length === 0) return failed(fault(1, 'empty'))
  if (body.length > mostInvited) return failed(fault(mostInvited + 2, 'too-many-rows', String(mostInvited)))
  const seen = new Set<string>()
  const errors: AccountImportFault[] = []
  const accounts = body.map(({ record, info: { lines: line } }): ImportedAccount => {
    const cell = (column: string) => record[names.indexOf(column)]?.slice(0, 255) ?? ''
    const email = cell('email')
    const role = cell('role') === '' ? 'user' : roleCalled(cell('role'))
    if (!z.safeParse(EmailAddress, email).success) errors.push(fault(line, 'bad-email', email))
    else if (seen.has(email.toLowerCase())) errors.push(fault(line, 'duplicate', email))
    if (role === null) errors.push(fault(line, 'bad-role', cell('role')))
    seen.add(email.toLowerCase())
    return { line, email, firstName: cell('first name'), lastName: cell('last name'), role: role ?? 'user' }
  })
  return { accounts, errors }
}
