import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export const actionLabels: Record<AuditEntry['action'], MessageDescriptor> = {
  created: msg`Creation`,
  changed: msg`Modification`,
  deleted: msg`Deletion`,
  agreed: msg`Consent`,
  'signed-in': msg`Successful sign-in`,
  refused: msg`Refused sign-in`,
}

export const nounLabels: Record<AuditEntry['noun'], MessageDescriptor> = {
  access: msg`Access`,
  annotation: msg`Annotation`,
  'api-key': msg`API key`,
  'branch-run': msg`Result on a branch`,
  group: msg`Scan group`,
  'group-admin': msg`Group admin`,
  'group-scan': msg`Scan in a scan group`,
  ignore: msg`Ignored issues`,
  issues: msg`Issues`,
  pages: msg`Pages`,
  person: msg`User`,
  preset: msg`Preset`,
  scan: msg`Scan`,
  script: msg`Shared script`,
  secret: msg`Stored secret`,
  setting: msg`System setting`,
  share: msg`Public share link`,
  'sign-in': msg`Sign-in`,
  team: msg`Team`,
  terms: msg`Terms of use`,
  upload: msg`Uploaded page`,
  view: msg`Saved view`,
  webhook: msg`Webhook`,
}

type AuditEvent = `${AuditEntry['action']} ${AuditEntry['noun']}`

/** Events that occur often, as phrases. The others are named by their object and action. */
export const eventLabels: Partial<Record<AuditEvent, MessageDescriptor>> = {
  'created access': msg`Access granted`,
  'changed access': msg`Access changed`,
  'deleted access': msg`Access withdrawn`,
  'created group': msg`Scan group created`,
  'changed group': msg`Scan group changed`,
  'deleted group': msg`Scan group deleted`,
  'created ignore': msg`Issues ignored`,
  'changed ignore': msg`Decision to ignore changed`,
  'deleted ignore': msg`Issues no longer ignored`,
  'created person': msg`User added`,
  'changed person': msg`User changed`,
  'deleted person': msg`User deleted`,
  'created scan': msg`Scan created`,
  'changed scan': msg`Scan changed`,
  'deleted scan': msg`Scan deleted`,
  'created share': msg`Public share link created`,
  'changed share': msg`Public share link replaced`,
  'deleted share': msg`Public share link deleted`,
  'changed setting': msg`System setting changed`,
  'created team': msg`Team created`,
  'changed team': msg`Team changed`,
  'deleted team': msg`Team deleted`,
  'created upload': msg`Page uploaded`,
  'deleted pages': msg`Pages deleted`,
  'deleted issues': msg`Issues deleted`,
  'signed-in sign-in': msg`Signed in`,
  'refused sign-in': msg`Sign-in refused`,
  'created webhook': msg`Webhook added`,
  'changed webhook': msg`Webhook changed`,
  'deleted webhook': msg`Webhook deleted`,
  'agreed terms': msg`Terms of use accepted`,
}
