import { expect, it } from 'vitest'
import { openTicket } from './kerberos.ts'

it.each(['-k', '--keytab=/etc/krb5.keytab', '-X', 'ann\n-k', ''])(
  'rejects user names that are kinit options: %j',
  async (username) => {
    const ticketResult = await openTicket({ username, password: 'x', hosts: [] })
    expect(ticketResult).toEqual({ kind: 'failed', reason: 'authentication', detail: 'The user name cannot be one of Kerberos' })
  },
)
