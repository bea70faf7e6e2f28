/** Steps of the wizard, in order. */
export const wizardSteps = [
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
export type WizardStep = (typeof wizardSteps)[number]
