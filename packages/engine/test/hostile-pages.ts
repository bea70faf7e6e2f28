import { gzipSync } from 'node:zlib'
import { html, type Route } from './harness.ts'

// Pages that cause harm, on purpose or by accident.

export const faultyImage = '<img src="x.png">'
export const buildScriptPage = (scriptCode: string) => html('Hostile', `${faultyImage}<script>${scriptCode}</script>`)
const serveEndless =
  (contentType: string): Route =>
  (_, response) => {
    response.writeHead(200, { 'content-type': contentType })
    const writeMore = () => void (response.destroyed || response.write('x'.repeat(100_000), writeMore))
    response.write(contentType === 'text/html' ? html('Big', '').replace(/<\/main>.*/, '') : '', writeMore)
  }
/** 64 MB that are transferred as 300 KB: a comment, which takes little time to parse. */
const compressedPage = gzipSync(`<!doctype html><title>Unpacked</title><!--${' '.repeat(64 * 1024 ** 2)}-->`, { level: 1 })
const compressedRoute: Route = (_, response) =>
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(compressedPage)
const slowFates = 'completed or failed timeout-command or failed timeout-download or failed timeout-generic'
const workerLoop = `for(let i=0;i<8;i++)new Worker(URL.createObjectURL(new Blob(['while(1);'])))`

/**
 * Each page with its expected outcomes, and a fault that must be found despite everything. On a busy machine, a time
 * limit may come first.
 */
export const hostilePages: Record<string, { route: Route; fate: string; found?: true }> = {
  '/busy': { route: buildScriptPage('while(1);'), fate: 'failed timeout-command' },
  '/busy-later': { route: buildScriptPage('setTimeout(()=>{while(1);},200)'), fate: 'failed timeout-command' },
  '/alerts': { route: buildScriptPage('for(;;)alert(1)'), fate: 'failed too-many-dialogs' },
  '/push-state': {
    route: buildScriptPage('let i=0;setInterval(()=>{for(let k=0;k<200;k++)history.pushState({},"","?p="+i++)},1)'),
    fate: 'completed',
    found: true,
  },
  '/crash': {
    route: buildScriptPage('let e=document.body;for(let i=0;i<50000;i++){const d=document.createElement("div");e.append(d);e=d}'),
    fate: 'failed page-crashed',
  },
  // On a busy machine, the time limit may come before the size limit.
  '/endless': { route: serveEndless('text/html'), fate: 'failed too-large or failed timeout-command' },
  '/download': {
    route: (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('PK'),
    fate: 'failed mime-type',
  },
  '/binary': {
    route: (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 32))),
    fate: 'failed binary-instead-of-html',
  },
  '/popups': { route: buildScriptPage('setInterval(()=>open("/","_blank"),5)'), fate: 'completed', found: true },
  '/worker': { route: buildScriptPage('navigator.serviceWorker?.register("/worker.js")'), fate: 'completed', found: true },
  '/tamper': {
    route: buildScriptPage(
      'JSON.stringify=()=>{throw 1};Array.prototype.map=()=>{throw 1};Array.prototype.filter=null;Map=1;Promise=1;setTimeout=1;Document.prototype.querySelectorAll=()=>[];getComputedStyle=1;axe={run(){throw 1}};Date=1',
    ),
    fate: 'completed',
    found: true,
  },
  '/clobber': {
    route: html('Clobber', '<form><input name="nodeName" aria-label="a"></form><img name="querySelectorAll">'),
    fate: 'completed',
  },
  '/clobber-picture': {
    // The form keeps the name of a picture that its page has used.
    route: html(
      'Clobber',
      '<form><img name="nodeName" alt="Boat" src="data:,"></form><script>document.forms[0].nodeName</script>',
    ),
    fate: 'failed axe-failed',
  },
  '/wander': {
    route: buildScriptPage('setTimeout(()=>location.href="/wander?"+Math.random(),50)'),
    // On a busy machine, the analysis may fit between two navigations.
    fate: 'failed client-redirect or excluded redirect',
  },
  '/cookies': {
    route: (_, response) =>
      void response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': Array.from({ length: 60 }, (_, i) => `c${i}=${'x'.repeat(4000)}`),
        })
        .end(html('Cookies', faultyImage)),
    fate: 'completed',
    found: true,
  },
  '/microtasks': { route: buildScriptPage('const f=()=>Promise.resolve().then(f);f()'), fate: 'failed timeout-command' },
  '/workers': { route: buildScriptPage(workerLoop), fate: slowFates },
  '/inner-html': {
    route: buildScriptPage('setInterval(()=>{for(let i=0;i<50;i++)document.querySelector("h1").innerHTML="<b>"+i+"</b>"},1)'),
    fate: 'completed',
    found: true,
  },
  // The elements that axe found have left the page when their selectors are built.
  '/replaced': {
    route: buildScriptPage(
      'const part=document.querySelector("main").appendChild(document.createElement("div"));setInterval(()=>{part.innerHTML="<img src=data:,>".repeat(9)},1)',
    ),
    fate: 'completed',
    found: true,
  },
  '/replaced-in-shadow': {
    route: buildScriptPage(
      'const root=document.querySelector("main").appendChild(document.createElement("div")).attachShadow({mode:"open"});setInterval(()=>{root.innerHTML="<img src=data:,>".repeat(9)},1)',
    ),
    fate: 'completed',
    found: true,
  },
  '/write': {
    route: buildScriptPage('setInterval(()=>{document.open();document.write("<h1>x</h1>");document.close()},20)'),
    fate: `${slowFates} or failed client-redirect`,
  },
  '/prompts': { route: buildScriptPage('for(;;)prompt("x")'), fate: 'failed too-many-dialogs' },
  '/unload': {
    route: buildScriptPage('addEventListener("beforeunload",e=>{e.preventDefault();e.returnValue="x"})'),
    fate: 'completed',
    found: true,
  },
  '/asks': {
    route: buildScriptPage(
      'print();Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>{});navigator.clipboard?.readText().catch(()=>{});document.documentElement.requestFullscreen().catch(()=>{})',
    ),
    fate: 'completed',
    found: true,
  },
  '/unpacked': { route: compressedRoute, fate: 'failed too-large' },
  '/many-nodes': {
    route: html('Many', `${faultyImage}${'<i></i>'.repeat(100_000)}`),
    fate: `${slowFates} or failed too-large`,
  },
  '/many-elements': {
    route: html('Many', `${faultyImage}${'<p>some words here</p>'.repeat(200_000)}`),
    fate: 'failed too-large',
  },
  '/many-frames': {
    route: html('Frames', `${faultyImage}${'<iframe srcdoc="x" title="f"></iframe>'.repeat(300)}`),
    fate: slowFates,
  },
  '/nested': {
    route: buildScriptPage(
      'onload=()=>setTimeout(()=>{for(let k=0;k<2;k++){let e=document.body;for(let i=0;i<3000;i++)e=e.appendChild(document.createElement("b"));document.body.lastChild.remove()}},50)',
    ),
    fate: 'completed',
    found: true,
  },
  '/self-frame': {
    route: html('Self', `${faultyImage}<iframe src="/self-frame" title="f"></iframe>`),
    fate: 'completed',
    found: true,
  },
  '/console': {
    route: buildScriptPage('setInterval(()=>{for(let i=0;i<500;i++)console.log("x".repeat(100))},1)'),
    fate: slowFates,
  },
  '/hash-loop': { route: buildScriptPage('setInterval(()=>{location.hash=Math.random()},10)'), fate: 'completed', found: true },
  '/refresh-loop': {
    route: html('Refresh', faultyImage).replace('</head>', '<meta http-equiv="refresh" content="0"></head>'),
    fate: 'failed client-redirect or completed or failed timeout-command',
  },
  '/to-data': { route: buildScriptPage('location.href="data:text/html,<h1>x</h1>"'), fate: 'completed', found: true },
  '/to-file': {
    route: buildScriptPage('location.href="file:///etc/passwd"'),
    fate: 'completed',
    found: true,
  },
  '/frozen': {
    route: buildScriptPage(
      'setTimeout=setInterval=requestAnimationFrame=queueMicrotask=()=>0;performance.now=()=>0;Object.freeze(Array.prototype)',
    ),
    fate: 'completed',
    found: true,
  },
  '/drip': {
    route: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.write(html('Drip', faultyImage).replace(/<\/main>.*/, ''))
      const dripTimer = setInterval(() => response.write('x '), 100)
      response.on('close', () => clearInterval(dripTimer))
    },
    fate: slowFates,
  },
  '/no-headers': { route: () => undefined, fate: 'failed timeout-download' },
  '/no-content': { route: (_, response) => response.writeHead(204).end(), fate: 'failed mime-type' },
  '/big-header': {
    route: (_, response) => response.writeHead(200, { 'x-big': 'x'.repeat(300_000) }).end(faultyImage),
    fate: 'failed connection-failed or failed too-large',
  },
  '/rebound': {
    route: (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    fate: 'excluded other-domain',
  },
  '/after': { route: html('After', faultyImage), fate: 'completed', found: true },
}

/** Routes of all pages, including their own requests. */
export const hostileRoutes: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(Object.entries(hostilePages).map(([path, { route }]) => [path, route])),
  '/worker.js': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end('addEventListener("fetch",(e)=>e.respondWith(new Response("FAKE")))'),
}
