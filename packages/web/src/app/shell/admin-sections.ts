import { msg } from '@lingui/core/macro'

/** Sections of the administration, in tab order. */
export const adminSections = [
  { to: '/admin', text: msg`Scan groups` },
  { to: '/admin/people', text: msg`People` },
  { to: '/admin/teams', text: msg`Teams` },
  { to: '/admin/team-access', text: msg`Team access` },
  { to: '/admin/presets', text: msg`Presets` },
  { to: '/admin/scripts', text: msg`Shared scripts` },
  { to: '/admin/permissions-settings', text: msg`Permissions` },
  { to: '/admin/retention', text: msg`Retention` },
  { to: '/admin/quotas', text: msg`Quotas` },
  { to: '/admin/health', text: msg`System health` },
  { to: '/admin/audit', text: msg`Audit log` },
] as const
