import { useLingui } from '@lingui/react/macro'
import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon } from '../../kit/control/icon.tsx'
import { smallScreenQuery, useMediaQuery } from '../../kit/page/use-media-query.ts'
import { useSession } from '../../monitor/user/model.ts'
import { adminSections, findAdminSection } from './admin-sections.ts'
import styles from './admin-area.module.css'

/** Area for administrators: tabs of its sections and the open one. Other users are redirected to the scans. */
export function AdminArea() {
  const { permissions } = useSession()
  const isSmallScreen = useMediaQuery(smallScreenQuery)
  if (!permissions.isAdmin) return <Navigate to="/scans" replace />
  return (
    <>
      {isSmallScreen ? <SectionMenu /> : <SectionTabs />}
      <Outlet />
    </>
  )
}

const useCurrentSection = () => findAdminSection(useRouterState({ select: ({ location }) => location.pathname }))

function SectionTabs() {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Administration`} className={styles.tabs}>
      <SectionLinks />
    </nav>
  )
}

/** One line on small screens, which opens the list of sections. */
function SectionMenu() {
  const { t } = useLingui()
  const [isOpen, setIsOpen] = useState(false)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const currentSection = useCurrentSection() ?? adminSections[0]
  const sectionName = t(currentSection.text)
  useEffect(() => {
    if (!isOpen) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      buttonRef.current?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOpen])
  return (
    <nav aria-label={t`Administration`} className={styles.menu}>
      <button
        ref={buttonRef}
        type="button"
        className={getButtonClass()}
        aria-expanded={isOpen}
        aria-controls="admin-sections"
        onClick={() => setIsOpen(!isOpen)}
      >
        {t`Section: ${sectionName}`}
        <Icon name={isOpen ? 'up' : 'down'} />
      </button>
      <div id="admin-sections">{isOpen && <SectionLinks onFollow={() => setIsOpen(false)} />}</div>
    </nav>
  )
}

function SectionLinks({ onFollow }: { onFollow?: () => void }) {
  const { t } = useLingui()
  const currentSection = useCurrentSection()
  return (
    <ul>
      {adminSections.map(({ to, text, ...section }) => (
        <li key={to} className={'startsGroup' in section ? styles.group : undefined}>
          <Link
            to={to}
            activeOptions={{ exact: to === '/admin' }}
            aria-current={to === currentSection?.to ? 'page' : undefined}
            onClick={onFollow}
          >
            {t(text)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
