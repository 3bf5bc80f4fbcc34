import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { PreferencesProvider } from './preferences.js'

const root = document.getElementById('klens')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <PreferencesProvider>
        <App />
      </PreferencesProvider>
    </StrictMode>,
  )
}
