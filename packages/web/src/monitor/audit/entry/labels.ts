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
