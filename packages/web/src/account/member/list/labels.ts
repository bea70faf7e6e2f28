import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AccountImportFault } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole, MemberState } from '@clearway/contract/account/member/schema.ts'

export const roleLabels: Record<MemberRole, MessageDescriptor> = {
  admin: msg`Administrator`,
  auditor: msg`Auditor`,
  user: msg`User`,
  outsider: msg`No access`,
}

/** Permissions of each role, shown in role selections. */
export const roleHints: Record<MemberRole, MessageDescriptor> = {
  admin: msg`Can do everything, on every scan.`,
  auditor: msg`Can see everything, and changes only what a team allows.`,
  user: msg`Access comes from teams.`,
  outsider: msg`Can sign in, and sees nothing of this product.`,
}

export const memberStateLabels: Record<MemberState, MessageDescriptor> = {
  active: msg`Active`,
  invited: msg`Invited`,
  deactivated: msg`Deactivated`,
}

export function getImportFaultMessage({ code, value }: AccountImportFault): MessageDescriptor {
  const faultMessages: Record<AccountImportFault['code'], MessageDescriptor> = {
    unreadable: msg`The file cannot be read as CSV.`,
    'missing-column': msg`The column “${value}” is missing from the header of the file.`,
    'too-many-rows': msg`The file has more than ${value} rows.`,
    empty: msg`The file is empty.`,
    'bad-email': msg`“${value}” is not an email address.`,
    'bad-role': msg`“${value}” is not a role. The roles are admin, auditor and user.`,
    duplicate: msg`“${value}” appears above already.`,
    'email-taken': msg`The email “${value}” is already in use.`,
  }
  return faultMessages[code]
}
