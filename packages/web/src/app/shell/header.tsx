import { useLingui } from '@lingui/react/macro'
import type { ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { getButtonClass } from '../../kit/control/button.tsx'
import { Icon, ProductMark } from '../../kit/control/icon.tsx'
import { Toolbar } from '../../kit/keyboard/toolbar.tsx'
import { hiddenReportsQuery, smallScreenQuery, useMediaQuery } from '../../kit/page/use-media-query.ts'
import { IssueSearch } from '../../monitor/issue/model.ts'
import { PageSearch } from '../../monitor/page/model.ts'
import { ScanSearch } from '../../monitor/scan/model.ts'
import { useSession } from '../../monitor/user/model.ts'
import { useActiveSelection } from '../../monitor/user/parts/use-active-selection.ts'
import { useDefaultViews } from '../../monitor/view/queries.ts'
import { AccountMenu } from './account-menu.tsx'
import { CollapsedUnreadBadge, InboxLink } from './inbox-link.tsx'
import { HelpLink } from '../docs/help-link.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { ProductSwitcher } from './product-switcher.tsx'
import { SearchButton } from './search-button.tsx'
import { StatusSign } from './status-sign.tsx'
import styles from './header.module.css'

/** Logo, main navigation and menus. Below 48rem everything except the logo collapses behind one button. */
export function Header() {
  const { t } = useLingui()
  const { config: appConfig, permissions } = useSession()
  const isCollapsed = useMediaQuery(smallScreenQuery)
  const appRouter = useRouter()
  const toggleButtonRef = useRef<HTMLButtonElement>(null)
  const menuRef = useRef<HTMLDivElement>(null)
  const [isExpanded, setIsExpanded] = useState(false)
  const isMenuOpen = isCollapsed && isExpanded
  useEffect(() => {
    if (!isExpanded) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Closing the menu removes the focused element.
      if (menuRef.current?.contains(document.activeElement)) toggleButtonRef.current?.focus()
      setIsExpanded(false)
    }
    document.addEventListener('keydown', onKeyDown)
    // Navigation to another screen closes the menu.
    const unsubscribe = appRouter.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && setIsExpanded(false))
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      unsubscribe()
    }
  }, [isExpanded, appRouter])
  return (
    <header className={styles.header}>
      <div>
        {/* Repeats the link “Scans” next to it, which is the tab stop. */}
        <ScansLink className={styles.brand} tabIndex={isCollapsed ? undefined : -1}>
          <ProductMark />
          <span>{appConfig.productName}</span>
        </ScansLink>
        <ProductSwitcher />
        {!isCollapsed && <MainNavigation />}
        <Toolbar label={t`Tools`} className={styles.tools}>
          {/* Same position in the tree at every width: its dialog stays open when the window is resized. */}
          {!permissions.isGuest && <SearchButton />}
          {isCollapsed ? (
            <button
              ref={toggleButtonRef}
              type="button"
              className={getButtonClass({})}
              aria-expanded={isMenuOpen}
              aria-controls="menu"
              onClick={() => setIsExpanded(!isMenuOpen)}
            >
              <Icon name={isMenuOpen ? 'close' : 'menu'} />
              {t`Menu`}
              {!isMenuOpen && !permissions.isGuest && <CollapsedUnreadBadge />}
            </button>
          ) : (
            <HeaderTools />
          )}
        </Toolbar>
      </div>
      {isMenuOpen && (
        <div ref={menuRef} id="menu" className={styles.panel}>
          <MainNavigation />
          <div className={styles.tools}>
            <HeaderTools />
          </div>
        </div>
      )}
    </header>
  )
}

const ignoreSearchOptions = { includeSearch: false }

/** Returns a function for the search of a list's URL that opens its default view. */
function useDefaultSearch() {
  const { views: defaultViews } = useDefaultViews()
  return (screen: ViewScreen) => {
    const defaultView = defaultViews.find((candidate) => candidate.screen === screen)?.view
    return defaultView && { ...defaultView.query, saved: defaultView.id }
  }
}

type ScansLinkProps = {
  className?: string | undefined
  tabIndex?: number | undefined
  'aria-current'?: 'true'
  children: ReactNode
}

/** Link to the scans, or to the only scan of a guest. */
function ScansLink(props: ScansLinkProps) {
  const { guestScan } = useSession()
  const getDefaultSearch = useDefaultSearch()
  if (guestScan) return <Link to="/scans/$scanId" params={{ scanId: guestScan }} {...props} />
  const scanSearch = z.parse(ScanSearch, getDefaultSearch('scans') ?? {})
  return <Link to="/scans" search={scanSearch} activeOptions={ignoreSearchOptions} {...props} />
}

function MainNavigation() {
  const { t } = useLingui()
  const { permissions, guestScan } = useSession()
  const activeRunCount = useActiveSelection()
  const getDefaultSearch = useDefaultSearch()
  // Ignored issues are a part of the issues, webhooks of the scans.
  const section = useLocation({ select: ({ pathname }) => /^\/(ignored|webhooks)/.exec(pathname)?.[1] })
  const sharedSearch = guestScan && { scanId: [guestScan] }
  return (
    <nav className={styles.nav} aria-label={t`Main`}>
      <ul>
        <li>
          <ScansLink {...(section === 'webhooks' && { 'aria-current': 'true' })}>{guestScan ? t`Overview` : t`Scans`}</ScansLink>
        </li>
        <li>
          <Link
            to="/issues"
            search={z.parse(IssueSearch, sharedSearch ?? getDefaultSearch('issues') ?? activeRunCount)}
            activeOptions={ignoreSearchOptions}
            {...(section === 'ignored' && { 'aria-current': 'true' })}
          >{t`Issues`}</Link>
        </li>
        <li>
          <Link
            to="/pages"
            search={z.parse(PageSearch, sharedSearch ?? getDefaultSearch('pages') ?? activeRunCount)}
            activeOptions={ignoreSearchOptions}
          >{t`Pages`}</Link>
        </li>
        {!guestScan && (
          <li>
            <Link to="/rollup">{t`Dashboard`}</Link>
          </li>
        )}
        {permissions.isAdmin && (
          <li>
            <Link to="/admin">{t`Administration`}</Link>
          </li>
        )}
      </ul>
    </nav>
  )
}

/** Inbox, help, language and account. */
function HeaderTools() {
  const { t } = useLingui()
  const { config: appConfig, permissions } = useSession()
  const isNarrow = useMediaQuery(hiddenReportsQuery)
  return (
    <>
      {appConfig.flags.showSystemStatus && <StatusSign />}
      {appConfig.axeReportsUrl && !isNarrow && (
        <a className={getButtonClass({ kind: 'quiet', small: true })} href={appConfig.axeReportsUrl}>{t`Reports`}</a>
      )}
      {!permissions.isGuest && <InboxLink />}
      <HelpLink />
      <LanguageMenu />
      <AccountMenu />
    </>
  )
}
