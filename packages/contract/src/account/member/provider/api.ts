import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { pageOf } from '../../../kit/paging.ts'
import {
  Account,
  AccountBody,
  AccountImportBody,
  AccountImportReply,
  AccountListQuery,
  InvitationBody,
  Issued,
} from './schema.ts'

const params = z.object({ id: z.uuid() })

/** What the embedded identity provider does with accounts, below its issuer (`…/realms/clearway`). */
export const providerApi = define({
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    permission: 'admin.see',
    summary: 'Every account of the embedded identity provider',
    query: AccountListQuery,
    reply: pageOf(Account),
  },
  inviteAccount: {
    method: 'POST',
    path: '/accounts',
    permission: 'admin',
    summary: 'Invites somebody by email, or answers the link to hand over where no mail server is set',
    body: InvitationBody,
    reply: Issued,
    status: 201,
    problems: ['name-taken'],
  },
  importAccounts: {
    method: 'POST',
    path: '/accounts/import',
    permission: 'admin',
    summary: 'Invites everybody whom a CSV file lists',
    body: AccountImportBody,
    bodyBytes: 6 * 1024 * 1024,
    reply: AccountImportReply,
  },
  updateAccount: {
    method: 'PUT',
    path: '/accounts/{id}',
    permission: 'admin',
    summary: 'Changes the role of somebody',
    params,
    body: AccountBody,
    reply: Account,
    problems: ['last-admin'],
  },
  deactivateAccount: {
    method: 'POST',
    path: '/accounts/{id}/deactivate',
    permission: 'admin',
    summary: 'Ends sessions, tokens, keys and mails of somebody at once; what he did stays',
    params,
    reply: Account,
    problems: ['last-admin'],
  },
  reactivateAccount: {
    method: 'POST',
    path: '/accounts/{id}/reactivate',
    permission: 'admin',
    summary: 'Lets somebody sign in again',
    params,
    reply: Account,
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/accounts/{id}',
    permission: 'admin',
    summary: 'Deletes somebody; what he did stays, without his name',
    params,
    reply: { empty: true },
    status: 204,
    problems: ['last-admin'],
  },
  resetAccount: {
    method: 'POST',
    path: '/accounts/{id}/reset-password',
    permission: 'admin',
    summary: 'Sends somebody a link to set a password, or answers it where no mail can be sent',
    params,
    reply: Issued,
  },
  endAccountSessions: {
    method: 'POST',
    path: '/accounts/{id}/end-sessions',
    permission: 'admin',
    summary: 'Signs somebody out everywhere',
    params,
    reply: { empty: true },
    status: 204,
  },
})
