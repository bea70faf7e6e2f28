import { expect, it } from 'vitest'
import { openTicket } from './kerberos.ts'

it.each(['-k', '--keytab=/etc/krb5.keytab', '-X', 'ann\n-k', ''])(
  'a user name cannot be an option of kinit: %j',
  async (username) => {
    const ticket = await openTicket({ username, password: 'x', hosts: [] })
    expect(ticket).toEqual({
      kind: 'failed',
      reason: 'authentication',
      detail: 'The user name cannot be one of Kerberos',
    })
  },
)
