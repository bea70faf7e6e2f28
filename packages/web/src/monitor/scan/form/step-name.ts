/** The steps of the wizard, in their order. */
export const steps = [
  'general',
  'preset',
  'basic',
  'components',
  'scripts',
  'scope',
  'session',
  'advanced',
  'access',
  'schedule',
  'review',
] as const
export type Step = (typeof steps)[number]
