import { readStoredValue } from '../kit/client/storage.ts'

// Imported before anything else, so that the first screen already has the chosen theme and density.
const theme = readStoredValue('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
if (readStoredValue('density') === 'compact') document.documentElement.dataset['density'] = 'compact'
