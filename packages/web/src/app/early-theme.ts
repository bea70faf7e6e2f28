import { readStoredValue } from '../kit/client/storage.ts'

// Imported first, so that the first paint already has the chosen theme and density.
const storedTheme = readStoredValue('theme')
if (storedTheme === 'light' || storedTheme === 'dark') document.documentElement.dataset['theme'] = storedTheme
if (readStoredValue('density') === 'compact') document.documentElement.dataset['density'] = 'compact'
