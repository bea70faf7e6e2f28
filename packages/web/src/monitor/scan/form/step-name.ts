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

/** Steps of every new scan. The steps between them are "More settings". */
const mainSteps: readonly WizardStep[] = ['general', 'schedule', 'review']
/** Steps whose defaults fit most scans. */
export const extraSteps: readonly WizardStep[] = wizardSteps.filter((step) => !mainSteps.includes(step))
