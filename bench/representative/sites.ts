// Generated sites with the truth about each URL: its template, and whether it is a variant of another page.

/** A page of a generated site; null for an unknown URL. */
export type SitePage = {
  template: string
  /** History, edit form, sorted or filtered list, printed version: a copy for most purposes. */
  isVariant?: boolean
  language?: string
  section?: string
  title: string
  body: string
  head?: string
}
export type GeneratedSite = {
  answer: (url: URL) => SitePage | null
  /** Paths of pages that most sites have once; any language counts. */
  common: readonly RegExp[]
  templates: number
}

const link = (path: string, text = path) => `<a href="${path.replaceAll('&', '&amp;')}">${text}</a>`
const listItems = (links: readonly string[]) => `<ul>${links.map((item) => `<li>${item}</li>`).join('')}</ul>`
const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const words = [
  'river',
  'stone',
  'market',
  'garden',
  'winter',
  'council',
  'harbor',
  'teacher',
  'engine',
  'paper',
  'window',
  'forest',
]
/** Text of its own for each name. */
const write = (name: string): string => {
  let seed = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)
  return range(40)
    .map(() => words[(seed = (seed * 48_271) % 2_147_483_647) % words.length])
    .join(' ')
}
const form = (fields: readonly string[]) =>
  `<form>${fields.map((name) => `<label>${name} <input name="${name}"></label>`).join('')}<button>Send</button></form>`

const footer = (paths: readonly string[]) => `</main><footer>${paths.map((path) => link(path)).join(' ')}</footer><main>`

const blog: GeneratedSite = {
  templates: 9,
  common: [/^\/contact$/, /^\/about$/, /^\/privacy$/, /^\/accessibility$/, /^\/newsletter$/, /^\/login$/, /^\/search$/],
  answer({ pathname: path }) {
    const foot = footer(['/about', '/contact', '/privacy', '/accessibility', '/newsletter', '/login', '/search'])
    const index = (start: number) =>
      listItems(range(10).map((step) => link(`/2026/0${((start + step) % 9) + 1}/post-${start + step}`, `Post ${start + step}`)))
    const cloud = listItems(range(40).map((tag) => link(`/tag/${words[tag % 12]}-${tag}`, `${words[tag % 12]} ${tag}`)))
    if (path === '/') return { template: 'home', title: 'Blog', body: cloud + index(0) + link('/page/2', 'Older') + foot }
    const post = /^\/2026\/0\d\/post-(\d+)$/.exec(path)
    if (post && Number(post[1]) < 200)
      return { template: 'post', title: `Post ${post[1]}`, body: `<article><p>${write(path)}</p></article>${cloud}${foot}` }
    const page = /^\/page\/(\d+)$/.exec(path)
    if (page && Number(page[1]) <= 20)
      return {
        template: 'archive',
        isVariant: true,
        title: `Page ${page[1]}`,
        body: index(Number(page[1]) * 10 - 10) + link(`/page/${Number(page[1]) + 1}`, 'Older') + foot,
      }
    if (/^\/tag\/\w+-\d+$/.test(path))
      return { template: 'tag', isVariant: true, title: path, body: index((path.length * 7) % 190) + cloud + foot }
    if (/^\/(about|privacy|accessibility)$/.test(path))
      return { template: 'text', title: path, body: `<h2>${path}</h2><p>${write(path)}</p>${foot}` }
    if (path === '/contact') return { template: 'contact', title: path, body: form(['name', 'email', 'message']) + foot }
    if (path === '/newsletter') return { template: 'newsletter', title: path, body: form(['email']) + foot }
    if (path === '/login') return { template: 'login', title: path, body: form(['user', 'password']) + foot }
    return path === '/search' ? { template: 'search', title: path, body: form(['q']) + foot } : null
  },
}

const shop: GeneratedSite = {
  templates: 7,
  common: [/^\/cart$/, /^\/checkout$/, /^\/contact$/, /^\/login$/, /^\/register$/, /^\/help$/],
  answer({ pathname: path, searchParams }) {
    const foot = footer(['/cart', '/checkout', '/contact', '/login', '/register', '/help'])
    const category = /^\/c\/(\w+)$/.exec(path)
    if (path === '/')
      return {
        template: 'home',
        title: 'Shop',
        body:
          words
            .slice(0, 6)
            .map((name) => link(`/c/${name}`))
            .join(' ') + foot,
      }
    if (category) {
      const facets = ['color', 'size', 'sort', 'view', 'page'].flatMap((name) =>
        [1, 2, 3].map((value) => {
          const next = new URLSearchParams(searchParams)
          next.set(name, String(value))
          return link(`${path}?${next}`, `${name} ${value}`)
        }),
      )
      const start = (Number(searchParams.get('page') ?? 1) - 1) * 15
      const products = range(15).map((step) => link(`/p/${category[1]}-${start + step}`))
      return {
        template: 'category',
        section: category[1]!,
        isVariant: [...searchParams.keys()].length > 0,
        title: category[1]!,
        body: facets.join(' ') + listItems(products) + foot,
      }
    }
    const product = /^\/p\/(\w+)-(\d+)$/.exec(path)
    if (product && Number(product[2]) < 50)
      return {
        template: 'product',
        section: product[1]!,
        title: path,
        body: `<h2>Details</h2><table><tr><td>${write(path)}</td></tr></table>${link(`${path}?print=1`, 'Print')}${foot}`,
        isVariant: searchParams.has('print'),
      }
    if (/^\/(cart|checkout)$/.test(path)) return { template: path, title: path, body: form(['code', 'address', 'card']) + foot }
    if (/^\/(contact|login|register)$/.test(path))
      return { template: 'form', title: path, body: form(['name', path.slice(1)]) + foot }
    return path === '/help' ? { template: 'text', title: path, body: `<section><p>${write(path)}</p></section>${foot}` } : null
  },
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'ja']
const council: GeneratedSite = {
  templates: 8,
  common: [/\/contact$/, /\/accessibility-statement$/, /\/search$/, /\/privacy$/, /\/forms\/\w+\/apply$/],
  // oxlint-disable-next-line max-lines-per-function -- one list of URLs
  answer({ pathname: path, searchParams }) {
    const session = `?sid=${Math.random().toString(36).slice(2, 10)}`
    const parts = path.split('/').filter(Boolean)
    const language = languages.includes(parts[0] ?? '') ? parts[0]! : ''
    const ownPath = parts.slice(1).join('/')
    const go = (target: string, text = target) => link(`/${language || 'en'}/${target}${session}`, text)
    const menu = `</main><nav>${languages.map((name) => link(`/${name}${session}`, name)).join(' ')}</nav><main>`
    const foot = `</main><footer>${['contact', 'accessibility-statement', 'search', 'privacy'].map((name) => go(name)).join(' ')}</footer><main>`
    const base = { language, section: parts[1] ?? '' }
    if (searchParams.size > 1) return null
    if (path === '/' || (language !== '' && ownPath === ''))
      return {
        ...base,
        template: 'home',
        title: `Home ${language}`,
        body:
          menu +
          listItems([...range(20).map((index) => go(`news/${index}`)), go('topics'), go('forms'), go('calendar/2026/11')]) +
          write(`home ${language}`) +
          foot,
      }
    if (language === '') return null
    const calendar = /^calendar\/(\d+)\/(\d+)$/.exec(ownPath)
    if (calendar) {
      const month = Number(calendar[1]) * 12 + Number(calendar[2])
      return {
        ...base,
        template: 'calendar',
        title: 'Calendar',
        body: `${menu}No events. ${go(`calendar/${Math.floor(month / 12)}/${(month % 12) + 1}`, 'Next')}${foot}`,
      }
    }
    if (/^news\/\d+$/.test(ownPath))
      return {
        ...base,
        template: 'news',
        title: `${ownPath} ${language}`,
        body: `${menu}<article><p>${write(path)}</p></article>${foot}`,
      }
    if (ownPath === 'topics' || ownPath === 'forms')
      return {
        ...base,
        template: 'list',
        title: `${ownPath} ${language}`,
        body: menu + listItems(words.map((name) => go(`${ownPath}/${name}${ownPath === 'forms' ? '/apply' : ''}`))) + foot,
      }
    if (/^topics\/\w+$/.test(ownPath))
      return {
        ...base,
        template: 'topic',
        title: `${ownPath} ${language}`,
        body: `${menu}<section><h2>Topic</h2><p>${write(path)}</p></section>${foot}`,
      }
    if (/^forms\/\w+\/apply$/.test(ownPath))
      return {
        ...base,
        template: 'form',
        title: `${ownPath} ${language}`,
        body: `${menu}${write(path)}${form(['name', 'birth', ownPath])}${foot}`,
      }
    if (/^(contact|search)$/.test(ownPath))
      return { ...base, template: ownPath, title: `${ownPath} ${language}`, body: menu + form([ownPath]) + foot }
    return /^(accessibility-statement|privacy)$/.test(ownPath)
      ? { ...base, template: 'text', title: `${ownPath} ${language}`, body: `${menu}<p>${write(path)}</p>${foot}` }
      : null
  },
}

const wiki: GeneratedSite = {
  templates: 4,
  common: [/Special:Search/, /Special:UserLogin/, /Project:About/, /Help:Contents/],
  answer({ pathname: path, searchParams }) {
    const title = searchParams.get('title') ?? ''
    if (path === '/')
      return {
        template: 'article',
        title: 'Main',
        body:
          listItems(range(30).map((index) => link(`/index.php?title=Page_${index}`))) +
          footer(
            ['Project:About', 'Help:Contents', 'Special:Search', 'Special:UserLogin', 'Special:RecentChanges'].map(
              (name) => `/index.php?title=${name}`,
            ),
          ),
      }
    if (path !== '/index.php' || title === '') return null
    const action = searchParams.get('action') ?? ''
    const tools = ['edit', 'history', 'info', 'raw']
      .map((name) => link(`/index.php?title=${title}&action=${name}`, name))
      .join(' ')
    const special = /^(?:Special|Help|Project):\w+$/.test(title)
    if (action !== '' || searchParams.has('oldid')) {
      const revisions =
        action === 'history' ? range(10).map((index) => link(`/index.php?title=${title}&oldid=${index + title.length * 10}`)) : []
      return {
        template: action || 'article',
        isVariant: true,
        title,
        head: '<meta name="robots" content="noindex">',
        body: `${tools}${action} ${searchParams.get('oldid') ?? ''} of ${title}${listItems(revisions)}`,
      }
    }
    if (special)
      return {
        template: title.startsWith('Special') ? title : 'article',
        title,
        body:
          title === 'Special:UserLogin'
            ? form(['user', 'password'])
            : title === 'Special:Search'
              ? form(['q'])
              : `<p>${write(title)}</p>`,
      }
    const number = Number(/^Page_(\d+)$/.exec(title)?.[1] ?? Number.NaN)
    if (!(number < 300)) return null
    return {
      template: 'article',
      title,
      body: `</main><nav>${tools}</nav><main><p>${write(title)}</p>${listItems(range(8).map((step) => link(`/index.php?title=Page_${(number * 7 + step) % 300}`)))}`,
    }
  },
}

const git: GeneratedSite = {
  templates: 5,
  common: [],
  answer({ pathname: path, search }) {
    const searchParams = new URLSearchParams(search.replaceAll(';', '&'))
    const [action, id] = [searchParams.get('a') ?? 'summary', searchParams.get('h') ?? '']
    if (path !== '/' || Number.isNaN(Number(`0x${id || '0'}`))) return null
    const start = action.endsWith('log') ? Number(searchParams.get('pg') ?? 0) * 30 : 0
    const ids = range(30).map((step) => (((start + step) * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0').repeat(5))
    const links = ids.flatMap((hash) =>
      ['commit', 'commitdiff', 'tree', 'snapshot'].map((name) => link(`/?p=repo.git;a=${name};h=${hash}`, name)),
    )
    const views = ['summary', 'log', 'shortlog', 'heads', 'tags'].map((name) => link(`/?p=repo.git;a=${name}`, name)).join(' ')
    const isVariant = /^(?:commitdiff|snapshot|log|shortlog)$/.test(action)
    const list = /^(?:summary|log|shortlog|heads|tags)$/.test(action) ? listItems(links) : ''
    const next = action.endsWith('log') && start < 270 ? link(`/?p=repo.git;a=${action};pg=${start / 30 + 1}`, 'next') : ''
    return {
      template: action,
      isVariant,
      section: action,
      title: `${action} ${id}`,
      body: `</main><nav>${views}</nav><main>${action === 'tree' ? `<table><tr><td>${write(id)}</td></tr></table>` : `<p>${write(action + id + start)}</p>`}${list}${next}`,
    }
  },
}

const forum: GeneratedSite = {
  templates: 6,
  common: [/^\/post\.php/, /^\/login\.php/, /^\/register\.php/, /^\/search\.php/, /^\/faq\.php/],
  answer({ pathname: path, searchParams }) {
    const nav = `</main><nav>${['search', 'faq', 'login', 'register'].map((name) => link(`/${name}.php`, name)).join(' ')}</nav><main>`
    const id = Number(searchParams.get('id') ?? 0)
    if (path === '/')
      return {
        template: 'home',
        title: 'Forum',
        body: nav + listItems(range(12).map((index) => link(`/forum.php?id=${index}`, `Board ${index}`))),
      }
    if (path === '/forum.php')
      return {
        template: 'board',
        section: String(id),
        isVariant: searchParams.has('start') || searchParams.has('sort'),
        title: `Board ${id}`,
        body: `${nav}${link(`/post.php?forum=${id}`, 'New topic')} ${link(`/forum.php?id=${id}&sort=asc`, 'Sort')} ${listItems(range(25).map((index) => link(`/topic.php?id=${id * 50 + index + Number(searchParams.get('start') ?? 0)}`)))}${link(`/forum.php?id=${id}&start=25`, 'Next')}`,
      }
    if (path === '/topic.php' && id < 600)
      return {
        template: 'topic',
        section: 'topic',
        isVariant: searchParams.has('view'),
        title: `Topic ${id}`,
        body: `${nav}<article>${write(`topic ${id}`)}</article>${link(`/topic.php?id=${id}&view=print`, 'Print')} ${link(`/post.php?topic=${id}`, 'Reply')}`,
      }
    if (path === '/post.php') return { template: 'post', title: 'Post', body: nav + form(['subject', 'text']) }
    if (/^\/(login|register|search)\.php$/.test(path))
      return { template: 'form', title: path, body: nav + form([path.slice(1, -4)]) }
    return path === '/faq.php' ? { template: 'text', title: path, body: `${nav}<section>${write(path)}</section>` } : null
  },
}

const documentation: GeneratedSite = {
  templates: 3,
  common: [/\/search\.html$/],
  answer({ pathname: path }) {
    const match = /^\/(en|de|fr|es|it|ja)\/(v1|v2|v3|latest)\/(\w+)\.html$/.exec(path)
    if (path === '/')
      return { template: 'home', title: 'Docs', body: languages.map((name) => link(`/${name}/latest/index.html`)).join(' ') }
    if (!match) return null
    const [, language, version, page] = match
    const chapters = range(30).map((index) => link(`/${language}/${version}/chapter${index}.html`))
    const switches = [
      ...languages.map((name) => link(`/${name}/${version}/${page}.html`)),
      ...['v1', 'v2', 'v3', 'latest'].map((name) => link(`/${language}/${name}/${page}.html`)),
    ]
    return {
      template: page === 'search' ? 'search' : 'chapter',
      language: language!,
      section: version!,
      title: path,
      body: `</main><nav>${switches.join(' ')}</nav><main>${page === 'search' ? form(['q']) : write(path)}${listItems(chapters)}${link(`/${language}/${version}/search.html`, 'Search')}`,
    }
  },
}

const news: GeneratedSite = {
  templates: 6,
  common: [/^\/help\/contact$/, /^\/help\/privacy$/, /^\/account\/signin$/, /^\/subscribe$/, /^\/search$/],
  answer({ pathname: path, searchParams }) {
    const sections = words.slice(0, 8)
    const foot = footer(['/help/contact', '/help/privacy', '/account/signin', '/subscribe', '/search'])
    const articles = (name: string, start: number) =>
      listItems(range(25).map((index) => link(`/${name}/story-${start + index}?ref=${index % 3}`)))
    if (path === '/')
      return {
        template: 'home',
        title: 'News',
        body: sections.map((name) => articles(name, 0)).join('') + sections.map((name) => link(`/${name}`)).join(' ') + foot,
      }
    const parts = path.split('/').filter(Boolean)
    if (parts.length === 1 && sections.includes(parts[0]!))
      return {
        template: 'section',
        section: parts[0]!,
        isVariant: searchParams.has('page'),
        title: path,
        body:
          articles(parts[0]!, Number(searchParams.get('page') ?? 0) * 25) +
          link(`${path}?page=${Number(searchParams.get('page') ?? 0) + 1}`, 'More') +
          foot,
      }
    if (parts.length === 2 && /^story-\d+$/.test(parts[1]!))
      return {
        template: 'story',
        section: parts[0]!,
        isVariant: searchParams.get('ref') === '9',
        title: path,
        body: `<article><p>${write(path)}</p></article>${link(`${path}/gallery`, 'Gallery')}${foot}`,
      }
    if (parts[2] === 'gallery')
      return {
        template: 'gallery',
        section: parts[0]!,
        title: path,
        body: `<figure><img alt="" src="/i/${parts[1]}.png"></figure>${write(path)}${foot}`,
      }
    if (/^\/(account\/signin|subscribe|search|help\/contact)$/.test(path))
      return { template: 'form', title: path, body: form([parts.at(-1)!]) + foot }
    return path === '/help/privacy' ? { template: 'text', title: path, body: `<p>${write(path)}</p>${foot}` } : null
  },
}

export const generatedSites: Readonly<Record<string, GeneratedSite>> = {
  blog,
  shop,
  council,
  wiki,
  git,
  forum,
  documentation,
  news,
}
