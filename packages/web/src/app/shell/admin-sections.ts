import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

type AdminSection = {
  to: string
  text: MessageDescriptor
  /** Start of the paths of its screens, if they are not below its own. */
  subPath?: string
  /** Begins a group of sections: people, what scans share, rules of the system, its state. */
  startsGroup?: true
}

/** Sections of the administration, in tab order. */
export const adminSections = [
  { to: '/admin', text: msg`Scan groups`, subPath: '/admin/groups' },
  { to: '/admin/people', text: msg`People`, startsGroup: true },
  { to: '/admin/teams', text: msg`Teams` },
  { to: '/admin/team-access', text: msg`Team access`, subPath: '/admin/assign-team' },
  { to: '/admin/presets', text: msg`Presets`, startsGroup: true },
  { to: '/admin/scripts', text: msg`Shared scripts` },
  { to: '/admin/permissions-settings', text: msg`Permissions`, startsGroup: true },
  { to: '/admin/retention', text: msg`Retention` },
  { to: '/admin/quotas', text: msg`Quotas` },
  { to: '/admin/health', text: msg`System health`, startsGroup: true },
  { to: '/admin/audit', text: msg`Audit log` },
] as const satisfies readonly AdminSection[]

/** Section of a screen, which may be below it. */
export const findAdminSection = (path: string): (typeof adminSections)[number] | undefined =>
  adminSections.find(
    ({ to, ...section }) =>
      path === to || (to !== '/admin' && path.startsWith(`${to}/`)) || ('subPath' in section && path.startsWith(section.subPath)),
  )
