import { type AccountImportFault, EmailAddress, maxInvitations } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { roles, type SystemRole, systemRoles } from '@clearway/contract/kit/permission.ts'
import * as z from 'zod/mini'
import { readCsv } from '../../kit/csv/read.ts'

export type ImportedAccount = { line: number; email: string; firstName: string; lastName: string; role: MemberRole }

const createImportFault = (line: number, code: AccountImportFault['code'], value = ''): AccountImportFault => ({
  line,
  code,
  value: value.slice(0, 300),
})
/** Finds a role by its key, its name or its claim: `admin`, `auditor`, `access`. */
function findRoleByWord(roleWord: string): SystemRole | null {
  const normalizedWord = roleWord.trim().toLowerCase()
  const listRoleWords = (role: SystemRole): string[] => {
    const roleDefinition: { name: string; claim?: string } = roles[role]
    return [role, roleDefinition.name, roleDefinition.claim ?? role].map((roleWord) => roleWord.toLowerCase())
  }
  return systemRoles.find((role) => role !== 'outsider' && listRoleWords(role).includes(normalizedWord)) ?? null
}

/** Reads a CSV file of people (email, first name, last name, role; only the email is required). Returns accounts and faults. */
export function parseAccounts(content: string): { accounts: ImportedAccount[]; errors: AccountImportFault[] } {
  const parsedCsv = readCsv(content, { required: ['email'], maxRows: maxInvitations })
  if ('faults' in parsedCsv)
    return { accounts: [], errors: parsedCsv.faults.map(({ line, code, value }) => createImportFault(line, code, value)) }
  const seenEmails = new Set<string>()
  const importFaults: AccountImportFault[] = []
  const importedAccounts = parsedCsv.rows.map(({ line, ...row }): ImportedAccount => {
    const readCell = (column: string) => row.cell(column).slice(0, 255)
    const email = readCell('email')
    const memberRole = readCell('role') === '' ? 'user' : findRoleByWord(readCell('role'))
    if (!z.safeParse(EmailAddress, email).success) importFaults.push(createImportFault(line, 'bad-email', email))
    else if (seenEmails.has(email.toLowerCase())) importFaults.push(createImportFault(line, 'duplicate', email))
    if (memberRole === null) importFaults.push(createImportFault(line, 'bad-role', readCell('role')))
    seenEmails.add(email.toLowerCase())
    return { line, email, firstName: readCell('first name'), lastName: readCell('last name'), role: memberRole ?? 'user' }
  })
  return { accounts: importedAccounts, errors: importFaults }
}
