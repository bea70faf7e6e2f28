import { expect, test } from 'vitest'
import { judgeActing, type LinkHints } from './judge.ts'

const judge = (address: string, hints?: LinkHints) => judgeActing(new URL(address, 'https://site.test/'), hints)?.kind ?? 'opened'
const listWrong = (addresses: readonly string[], kind: string) =>
  addresses.filter((address) => judge(address) !== kind).map((address) => `${address} → ${judge(address)}`)

test.each([
  [
    'reported',
    `/logout;jsessionid=1 /doLogout /userLogout.do /logoutAction.do /ajaxlogout /user/logoutUser /index.php?title=Special:UserLogout
    /wiki/Special:UserLogout /d%C3%A9connexion /se-deconnecter /cerrar-sesi%C3%B3n /salir /esci /disconnetti /ログアウト /サインアウト
    /log%6Fut /session/destroy /connect/endsession /saml/slo /abmeldung /ausloggen /uitloggen /wyloguj /account/exit /sair /odjava
    /logout.php /signout /sign-out /log_off /users/sign_out /wp-login.php?action=logout /logout?next=/ /Account/LogOff`,
  ],
  [
    'en',
    `/logout/ /LOGOUT /log-out /user/logout /member.php?action=logout&logoutkey=1 /index.php?option=com_users&task=user.logout
    /?q=user/logout /index.php?route=account/logout /ucp.php?mode=logout&sid=1 /auth/signOut /oauth2/sign_out /secure/Logout!default.jspa
    /_layouts/15/SignOut.aspx /_layouts/15/closeConnection.aspx /?logout /?logout=1 /#/logout /#!/account/sign-out /j_spring_security_logout /cas/logout /login/logout.php
    /logout/abc123de /en/logout /customer/account/logout/ /do.php?cmd=logout /api/v1/logout /session/end /signoff.jsp /wiki/logout.action`,
  ],
  [
    'de',
    `/abmelden /Abmelden.aspx /benutzer/abmelden /konto/abmelden/ /konto/ausloggen /logout-ausfuehren /index.php?action=abmelden
    /sitzung-beenden /sitzung/beenden /portal/abmeldung.do /?aktion=abmelden /de/abmelden /abmelden.html /benutzerAbmelden /user/abmelden/1
    /profil/abmelden /app/#/abmelden /Spezial:Abmelden /abmelden;jsessionid=9 /abmelden?token=12345678 /index.php?seite=ausloggen /my/abmelden`,
  ],
  [
    'fr',
    `/deconnexion /déconnexion /Deconnexion.php /se-déconnecter /compte/deconnexion /utilisateur/deconnecter /fermer-la-session
    /fermer-session /index.php?action=deconnexion /?page=deconnexion /fr/deconnexion /deconnexion.html /user/deconnexion.do
    /seDeconnecter /deconnectez-vous /Spécial:Déconnexion /#/deconnexion /compte/quitter /deconnexion/1 /mon-espace/deconnexion /?deconnexion=1`,
  ],
  [
    'es',
    `/cerrar-sesion /cerrarSesion /cerrar_sesion.php /cerrar-la-sesion /usuario/salir /cuenta/salir /desconectar /desconectarse
    /cierre-de-sesion /index.php?accion=cerrar-sesion /?action=cerrarsesion /es/cerrar-sesion /finalizar-sesion /terminar-sesion
    /desconexion /Especial:Salir /#/cerrar-sesion /usuarios/cerrarsesion /cerrarsesion.aspx /mi/cerrar-sesi%C3%B3n /?cerrar_sesion=1`,
  ],
  [
    'it',
    `/disconnetti /disconnettiti /disconnessione /chiudi-sessione /chiudi-la-sessione /utente/esci /account/esci /esci.php
    /termina-sessione /index.php?azione=disconnetti /?action=disconnetti /it/disconnetti /Speciale:Esci /#/disconnetti /utente/disconnetti.do
    /effettua-logout /disconnetti.html /utente/logout /?disconnetti=1 /admin/esci /profilo/disconnetti`,
  ],
  [
    'ja',
    `/ログアウト /ログオフ /サインアウト /サインオフ /ユーザー/ログアウト /ログアウト.html /index.php?action=ログアウト /?page=ログアウト
    /ja/ログアウト /特別:ログアウト /%E3%83%AD%E3%82%B0%E3%82%A2%E3%82%A6%E3%83%88 /ログアウトする /アカウント/ログアウト /#/ログアウト
    /サインアウト/1 /mypage/ログアウト /ﾛｸﾞｱｳﾄ /ログアウト?next=/ /member/サインアウト.php /セッション終了 /auth/サインアウト`,
  ],
])('signs out: %s', (_, addresses) => {
  expect(listWrong(addresses.split(/\s+/), 'sign-out')).toEqual([])
})

test('acts', () => {
  const addresses = `/unsubscribe?u=3 /newsletter/abmelden?t=1 /list/opt-out.php?subscriber_id=9 /desinscription?email=1 /jobs/4/run /workflows/12/start
    /session/new?switch_user=3 /db/migrate /adfs/ls/?wa=wsignout1.0 /delete/1 /items/5/delete /wp-admin/post.php?post=1&action=trash&_wpnonce=ab12 /wp-admin/comment.php?action=approvecomment&c=1
    /wp-admin/plugins.php?action=activate&plugin=akismet%2Fakismet.php&_wpnonce=1a /wp-admin/update.php?action=install-plugin&plugin=x
    /wp-admin/index.php?welcome=0 /wp-admin/admin-post.php?action=x /comment/5/approve?token=abcdefgh /flag/flag/bookmark/5?token=abcdefgh
    /index.php?title=Main&action=purge /index.php?title=Main&action=rollback&token=abcdef /index.php?title=A&action=watch
    /administrator/index.php?option=com_content&task=articles.delete&cid=5 /administrator/index.php?x=1&0123456789abcdef0123456789abcdef=1
    /typo3/record/commit?cmd[pages][1][delete]=1 /admin/auth/user/1/delete/ /posts/5?authenticity_token=x /posts/5?_token=x
    /index.php?route=/sql&sql_query=DROP+TABLE+x /course/view.php?id=5&sesskey=abc /course/delete.php?id=5
    /secure/DeleteIssue!default.jspa?id=5 /pages/removepage.action?pageId=5 /-/jobs/5/retry /-/jobs/5/cancel /?add-to-cart=15 /cart/?remove_item=abc
    /wishlist/index/add/product/15 /catalog/product_compare/add/product/1 /cart/add/blue-shirt /cart?remove=5 /index.php?route=checkout/cart/add
    /checkout/cart/add/form_key/abc/product/5 /plugins/activate/akismet /users/5/ban /comments/9/spam /orders/17/cancel /reports/17/export
    /doku.php?id=start&do=purge /user/deleteUser?x=1 /bulk_delete.php /admin/cache/flush /backups/download /export/download-all.php
    /beitrag/5/loeschen /artikel/7/l%C3%B6schen /warenkorb/hinzufuegen /panier/ajouter /articles/5/supprimer /carrito/anadir /usuarios/5/eliminar
    /carrello/aggiungi /utenti/5/elimina /記事/5/削除 /items/5/削除する /カート/追加 /index.php?aktion=loeschen&id=5 /?action=supprimer&id=5
    /?accion=borrar&id=5 /?azione=elimina&id=5 /?action=削除&id=5 /#/users/5/delete /p%65ople/5/delet%65 /?_switch_user=bob /x?op=delete&id=5
    /x?do=unpublish /x?cmd=restart /x?task=item.remove /newsletter/5/send?token=abcdefgh /account/delete /users/delete-selected`
  expect(listWrong(addresses.split(/\s+/), 'action')).toEqual([])
  expect(judge('/items/5', { acts: 'method' })).toBe('action')
  expect(judge('/items/5', { acts: 'confirm' })).toBe('action')
  expect(judge('/x.php?id=5', { label: 'Delete' })).toBe('action')
  expect(judge('/x.php?id=5', { label: 'Log out' })).toBe('sign-out')
  expect(judge('/x.php?id=5', { label: 'Cerrar sesión' })).toBe('sign-out')
})

test('machines, exports and marks of users are left alone, and pages about them are opened', () => {
  const acting = `/repo/x/fork /server/restart /export/all.zip?start=1 /repos/anna/tool/fork /repo/x/star /repo/x/watch
    /projects/solar/follow /users/anna/follow /@anna/follow /~anna/tool/star /posts/hello-world/like /comments/abc/upvote
    /questions/why-so/vote /gists/ab12/star /profile/anna/subscribe /issues/login-fails/watch /servers/production/restart
    /server/reboot /server/shutdown /server/stop /vms/web/start /containers/db/kill /admin/restart /system/reboot
    /system/neustart /serveur/redemarrer /servidor/reiniciar /server/riavvia /サーバー/再起動 /actuator/shutdown
    /nodes/5/restart /database/restart /export/start /export/stop /exports/7/cancel /backup/run /backup/restart
    /export/users.csv?start=true /exports/42?stop=1 /backups/nightly?run=1 /report/sales?generate=true /export.php?start=1
    /x?action=fork /x?do=restart /instances/blue/pause /worker/reload /workers/mail/restart /repo/x/fork/ /repository/x/unstar
    /users/anna/unfollow /projects/solar/unwatch`
  expect(listWrong(acting.split(/\s+/), 'action')).toEqual([])
  const harmless = `/fork /forks /repo/x /repo/x/forks /repo/x/stars /repo/x/watchers /repo/x/network /kitchen/fork /products/fork-set
    /star /stars /stars/sun /movies/star-wars /star/5 /watch /watch/5 /videos/5/watch /videos/intro/watch /films/dune/watch
    /follow /follow-us /users/anna/followers /users/anna/following /like /likes /posts/hello-world/likes /things-i-like
    /vote /votes /polls/lunch/vote /elections/2024/vote /server /servers /server/status /servers/production /server/logs
    /restart /blog/restart /news/server-restart /help/server/restart /docs/restart /docs/server/shutdown /courses/restart
    /services/start /start /start/5 /stop /exports /export/all.zip /export/users.csv /exports?start=20 /reports?start=1
    /reports/2024?start=1 /list?start=1 /search?start=1 /events?start=1 /archive/2024?page=1 /backup /reboot-camp
    /wiki/Shutdown /wiki/Fork_(software) /gallery/photos /@anna /@anna/posts /players/anna/start /machines /instances/blue`
  expect(listWrong(harmless.split(/\s+/), 'opened')).toEqual([])
})

test('pages about it are opened', () => {
  const addresses = `/unsubscribe /unsubscribe?lang=en /newsletter/abmelden?lang=de /jobs/4 /jobs/run /videos/4/start /jobs/4/apply /lists/opt-out /help/how-to-delete-a-file /docs/sign-out/howto /blog/how-to-log-off-safely /newsletter/abmelden /kurs/abmeldung
    /docs/logout /faq/log-out /help/sign-out-of-all-devices /blog/logging-out-explained /search?q=logout /search?q=delete /tag/delete /category/export
    /redirect?returnUrl=/logout /login?next=%2Flogout /signin /signup /login /account /wiki/Logout /wiki/Delete_key /wiki/Purge_(film) /glossary/sign-out /sign-out-sheet
    /products/delete-key /blog/remove-stains /archive/2024/05 /archive/15 /downloads /download/manual.pdf /files/5/report.pdf /news/2024/05/release
    /authorize?client_id=1&response_type=code&nonce=abc /share?token=abcdefgh /verify?topic=csrf /index.php?title=Main&action=edit
    /index.php?title=Main&action=history /x?action=view /x?action=list /users?status=deleted /list?sort=removed /orders/17 /orders/17/edit
    /admin/auth/user/add/ /node/add/article /posts/new /wp-admin/post-new.php /wp-admin/edit.php?post_status=trash /wp-admin/plugins.php
    /typo3/module/web/list?token=abcdefgh /install /docs/install /export /business/export /publish/authors /run /activate /jobs /cart /wishlist /compare
    /cart/ /checkout /hilfe/datei-loeschen /anleitungen/abmelden /aide/supprimer-un-fichier /ayuda/eliminar /guida/elimina-file /ヘルプ/削除
    /ブログ/ログアウト方法 /exit-strategy /brexit/exit-poll /games/exit/5 /session/5 /sessions/2024 /conference/session/end-of-life /disconnected
    /blog/logout-bug /news/bank-signs-off /x?action=search&q=delete /page?mode=view&a=details /de/kuendigung /service/abmeldung-kfz
    /data-deletion /privacy/right-to-be-forgotten /deleted-scenes /like-a-local /start /stop-smoking /vote/results /votes /terms/cancel-policy
    /reports/export-statistics /event/5/summary /users/5/following /#/users /#/help/logout /wp-admin/edit-comments.php?comment_status=spam`
  expect(listWrong(addresses.split(/\s+/), 'opened')).toEqual([])
  expect(judge('/newsletter', { label: 'Abmelden' })).toBe('opened')
  expect(judge('/docs/7', { label: 'Log out' })).toBe('opened')
  expect(judge('/delete-key', { label: 'Delete' })).toBe('opened')
})

test('long and odd addresses are judged in a moment', () => {
  const startedAt = process.cpuUsage()
  for (const text of [
    'my'.repeat(2000),
    'user'.repeat(1000),
    '/delete'.repeat(500),
    '%'.repeat(4000),
    `?${'a=delete&'.repeat(400)}`,
    '%E0%A4%A',
  ])
    judgeActing(new URL(`https://site.test/${text}`))
  for (let count = 0; count < 5000; count++)
    judgeActing(new URL(`https://site.test/section/${count}/page-about-something?id=${count}`))
  expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(3000)
})
