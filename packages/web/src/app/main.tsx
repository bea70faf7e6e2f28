import './early.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import './elements.css'
import { App } from './app.tsx'
import { preferredLocale, switchLanguage } from './i18n.ts'
import { handOver } from './session/auth.ts'

// A screen that the browser kept behind the back button shows what its reader saw, who may have logged out since.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
if (!handOver()) {
  await switchLanguage(preferredLocale())
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <App />
    </I18nProvider>,
  )
}
