import './early-theme.ts'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import './elements.css'
import { App, preloadScreen } from './app.tsx'
import { getPreferredLocale, switchLanguage } from './i18n.ts'
import { forwardResponse } from './session/auth.ts'

// A page restored from the back/forward cache shows the previous user's data, even after logout.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('index.html has no #root')
const appRoot = createRoot(rootElement)
// Not a top-level await, with which the bundler could not merge small files.
if (!forwardResponse())
  void switchLanguage(getPreferredLocale()).then(() => {
    // Its texts are loaded in the language that is active now. A failure is reported by the screen.
    preloadScreen()
    appRoot.render(
      <I18nProvider i18n={i18n}>
        <App />
      </I18nProvider>,
    )
  })
