import { useSession } from '../../monitor/user/model.ts'
import { DocsArticle, DocsContents } from './article.tsx'

/** /docs */
export function DocsContentsPage() {
  return <DocsContents productName={useSession().config.productName} />
}

/** /docs/{key} */
export function DocsPage() {
  return <DocsArticle productName={useSession().config.productName} />
}
