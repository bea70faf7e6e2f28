import { useLingui } from '@lingui/react/macro'
import type { Config } from '@clearway/contract/monitor/config/schema.ts'
import {
  type RouterHistory,
  Link,
  Navigate,
  Outlet,
  RouterProvider,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { ProductMark } from '../../kit/control/icon.tsx'
import { DocsArticle, DocsContents } from './article.tsx'
import header from '../shell/header.module.css'
import { LanguageMenu } from '../shell/language-menu.tsx'
import shell from '../shell/shell.module.css'

type StandaloneDocsProps = { config: Pick<Config, 'productName'>; login: () => void }

/** The help for visitors who are not signed in; its content is public. */
export function StandaloneDocs(props: StandaloneDocsProps) {
  const [docsRouter] = useState(() => createDocsRouter(props))
  return <RouterProvider router={docsRouter} />
}

/** Creates a router with only the help routes. `history` defaults to the browser's. */
export function createDocsRouter({ config: { productName }, login }: StandaloneDocsProps, history?: RouterHistory) {
  const docsRootRoute = createRootRoute({
    component: () => <DocsFrame productName={productName} login={login} />,
    notFoundComponent: () => <Navigate to="/docs" replace />,
  })
  const contentsRoute = createRoute({
    getParentRoute: () => docsRootRoute,
    path: '/docs',
    component: () => <DocsContents productName={productName} />,
  })
  const articleRoute = createRoute({
    getParentRoute: () => docsRootRoute,
    path: '/docs/$key',
    component: () => <DocsArticle productName={productName} />,
  })
  return createRouter({
    routeTree: docsRootRoute.addChildren([contentsRoute, articleRoute]),
    basepath: '/monitor',
    scrollRestoration: true,
    ...(history && { history }),
  })
}

function DocsFrame({ productName, login }: { productName: string; login: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <a className={shell.skip} href="#main">{t`Skip to main content`}</a>
      <header className={header.header}>
        <div>
          <Link to="/docs" className={header.brand}>
            <ProductMark />
            <span>{productName}</span>
          </Link>
          <span className={header.tools}>
            <LanguageMenu />
            <Button small onPress={login}>{t`Sign in`}</Button>
          </span>
        </div>
      </header>
      <main id="main" className={shell.main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}
