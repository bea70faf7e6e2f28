import type { AccountImportFault } from '@clearway/contract/account/member/provider/schema.ts'
import { EmailAddress, maxInvitations } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { roles, type SystemRole, systemRoles } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import { readCsv } from '../../kit/csv/read.ts'

export type ImportedAccount = {
  line: number
  email: string
  firstName: string
  lastName: string
  role: MemberRole
}

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

/**
 * Reads a CSV file of people (email, first name, last name, role; the last three may be left out).
 * @returns everybody, or every fault with its line
 */
export function readAccounts(content: string): { accounts: ImportedAccount[]; errors: AccountImportFault[] } {
  const read = readCsv(content, { required: ['email'], maxRows: maxInvitations })
  if ('faults' in read)
    return { accounts: [], errors: read.faults.map(({ line, code, value }) => fault(line, code, value)) }
  const seen = new Set<string>()
  const errors: AccountImportFault[] = []
  const accounts = read.rows.map(({ line, ...row }): ImportedAccount => {
    const cell = (column: string) => row.cell(column).slice(0, 255)
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
