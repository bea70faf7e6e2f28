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

test('labels, tokens and programs tell a link that acts, and lists, files and titles are opened', () => {
  const acting = `/admin/noticias/publicar/64 /verwaltung/artikel/5/loeschen /wp-admin/blog/publish/8 /gestion/articles/supprimer/3
    /posting.php?mode=bump&f=4&hash=7a3c1e90 /viewforum.php?f=7&hash=3c4d5e6f&mark=topics /views/archive/disable?token=xV9q2
    /index.php?a=rm&i=44 /files.php?cmd=mv&i=4 /votar.php?opcion=3&encuesta=12 /poll/vote.php?poll=3&answer=1
    /carrello.aspx?azione=aggiungi&idArticolo=902 /warenkorb.php?aktion=hinzufuegen&artikel=7 /panier?action=ajouter&ref=9
    /cron/exec_cron.cgi?idx=7 /execJob.do?idTask=4 /view/1234567/delete /tree/12345678/remove /blob/55/delete?_wpnonce=ab12cd34
    /view/1234567/delete.php /view/main/edit.php?action=delete&id=3 /blob/17/page.html?_token=a1b2c3d4e5`
  expect(listWrong(acting.split(/\s+/), 'action')).toEqual([])
  const harmless = `/help/12/reset-password /faq/7/delete-account /hilfe/3/konto-loeschen /travaux/fin-de-session /parlament/sitzungsende
    /noticias/publicar/64 /blog/publish/8 /votar.php?encuesta=12 /results/vote.php?page=2 /carrello.aspx?idArticolo=902
    /options-general.php?page=logout-redirect /admin?tab=logout-settings /audit?event=logout&page=2 /security/log?type=sign-out
    /activity?action=logout /admin/activity?action=user.logout /de/verlauf?aktion=abmelden
    /acme/web/-/blob/main/src/logout.php /acme/web/src/branch/main/delete.php /acme/web/blob/4f5e6d7c/app/users/destroy.rb
    /acme/web/blob/main/src/logout.php?plain=1
    /wiki/ログアウト /wiki/削除 /list?start=20&key=abcdef12 /rm/12`
  expect(listWrong(harmless.split(/\s+/), 'opened')).toEqual([])
  for (const label of [
    'Supprimer la photo',
    'Foto löschen',
    'Delete this comment',
    'Elimina il commento',
    '写真を削除',
    'Add to cart',
  ])
    expect([label, judge('/index.php?i=44', { label })]).toEqual([label, 'action'])
  for (const label of ['Run now', 'Jetzt ausführen', 'Exécuter maintenant', 'Ejecutar ahora', 'Esegui adesso', '今すぐ実行'])
    expect([label, judge('/tasks/nightly', { label })]).toEqual([label, 'action'])
  for (const label of ['Remove stains', 'Delete key', 'Supprimer la tache de vin', 'Run now or later', 'Photo'])
    expect([label, judge('/index.php?i=44', { label })]).toEqual([label, 'opened'])
  expect(judge('/help/44', { label: 'Delete this comment' })).toBe('opened')
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

test('a second set of acting links is left alone, and look-alikes and articles are opened', () => {
  const acting = `/admin/newsletter/42/dispatch /tickets/17/escalate /vouchers/9/redeem /staff/ana/offboard /inventory/sku-99/writeoff
    /calendar/event/77/rsvp/yes /membership/1234/terminate /notifications/clear-all /invoices/88/mark-as-paid
    /api-keys/7/rotate /bookings/55/check-in?confirm=1 /documents/31/sign?do=finalize
    /index.php?module=Accounts&action=MassUpdate&mass=1 /lock.php?op=force_unlock&id=3 /users/12/reset-password
    /survey/5/anonymize /messages/12/mark-unread /teams/3/leave /node/3/promote-to-frontpage /mahnung/17/versenden
    /rechnungen/12/stornieren /commandes/8/rembourser /pedidos/9/reembolsar /prenotazioni/4/annulla /予約/7/取消
    /users/5/archivieren /invitations/ab12cd34/accept /friend-requests/8/decline /admin/queue/flush-all
    /wp-admin/edit.php?action=untrash&post=4 /basket/empty /favorites/add/77 /admin/users/9/merge?into=4 /posts/9/pin
    /builds/19/cancel /index.php?r=site/delete-account&id=4 /reports/9/regenerate /translations/12/approve
    /items/12/toggle-visibility /polls/3/close`
  expect(listWrong(acting.split(/\s+/), 'action')).toEqual([])
  const harmless = `/shop/delete-button-sticker /recipes/remove-bones-from-fish /archive /archive/2023/11 /events/cancelled
    /policies/cancellation /returns-and-refunds /press/releases/42 /jobs/marketing-manager /services/data-erasure
    /products/toggle-switch-3 /products/unlock-tool-kit /museum/restore-paintings /courses/12/start-dates
    /blog/2024/05/why-we-removed-comments /people/mark /team/rob-ban /locations/cancun /films/kill-bill /music/play-list
    /wiki/Ban_Ki-moon /stories/clear-water /departments/import-export /trade/export-statistics /downloads/brochure.pdf
    /files/annual-report-2023.pdf /research/publish-or-perish /publications/12 /users/12 /users/12/edit /orders/12/invoice
    /orders/12/track /support/tickets/12 /account/settings /account/delete-account-faq /help/close-account
    /search?q=delete+account /products?filter=new&sort=remove /category/kill-switches /category/lock-and-key
    /news/strike-called-off /press/approve-budget-2024 /about/accepting-donations /forum/topic/12 /forum/topic/12?page=2
    /gallery/star-trails /sports/vote-of-the-year /books/how-to-install-linux /books/12/reviews /guide/subscribe-to-rss
    /rss/subscribe /newsletter/archive /newsletter/subscribe /magazine/subscribe /plans/upgrade /login?return=/cart/add
    /videos/99 /live/watch /tv/watch-now /radio/play /apps/run-tracker /running/run-5k /maps/switch-layers
    /courses/reset-your-mind /wellness/reset /checkout/shipping /services/clean /admin/users /admin/users?filter=banned
    /admin/trash /admin/backups /questions/77/delete-a-branch-in-git /questions/12/close-file-handles
    /posts/12/lock-and-load /recipes/5/clear-soup /articles/77/mark-twain /p/1234/release-notes /products/12/reset-button
    /movies/12/kill-bill /books/9/play-to-win /news/12/ship-lost /topics/12/renew-your-passport /sessions/clear-skies
    /events/session/fin-de-semana /sesion/finanzas /kurs/session/ende-gut /legal/revocation /widerruf /widerrufsbelehrung
    /agb/stornierung /versand/ruecksendung /conditions-annulation /politica-de-cancelacion /annullamento /キャンセルポリシー
    /spenden/aktivieren /loeschwasser /feuer/loeschen-lernen /shop/loeschpapier /produkte/entferner /event/12/register
    /seminars/12/book /jobs/12/apply /node/add/page /posts/12/history /repo/compare/1...2 /export-guide /docs/export
    /data/export-formats`
  expect(listWrong(harmless.split(/\s+/), 'opened')).toEqual([])
  const articles = `/help/how-to-sign-out /help/logout-problems /blog/how-to-log-out-everywhere /docs/api/logout /faq/why-was-i-logged-out
    /support/articles/sign-out-of-shared-computers /kb/1234-logout /guide/logging-out /news/2024/logout-vulnerability
    /hilfe/abmelden /hilfe/wie-melde-ich-mich-ab /ratgeber/richtig-abmelden /handbuch/abmeldung /faq/abmelden
    /aide/se-deconnecter /aide/comment-se-deconnecter /guides/deconnexion-automatique /faq/deconnexion /ayuda/cerrar-sesion
    /ayuda/como-cerrar-sesion /blog/cerrar-sesion-en-todos-los-dispositivos /faq/salir /guida/disconnetti /guida/come-uscire
    /aiuto/logout /ヘルプ/ログアウト /ヘルプ/ログアウト方法 /ブログ/ログアウトできない /faq/ログアウト /newsletter/abmelden /kurse/abmelden
    /veranstaltungen/12/abmeldung /kita/abmeldung /ummelden-und-abmelden /kfz/abmeldung /wohnsitz/abmelden
    /services/hundesteuer-abmelden /gewerbe/abmeldung /brexit /exit-poll /fire-exit /exit-strategies /salida
    /salir-de-fiesta /sortie /sortir-a-paris /uscita-sicurezza /uscite /出口 /終了のお知らせ /キャンペーン終了 /disconnected-youth
    /deconnexion-numerique /droit-a-la-deconnexion /desconexion-digital /diritto-alla-disconnessione /goodbye
    /bye-bye-birdie /sign-offs /sessions/end-of-year /session/close-reading`
  expect(listWrong(articles.split(/\s+/), 'opened')).toEqual([])
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

test('words of a host name its owner, and say nothing about its sign-outs', () => {
  const addresses = [
    'https://portal.stadtschule.test/abmelden',
    'https://mein.stromanbieter.test/abmelden',
    'https://verein-musik.test/konto/abmelden',
    'https://www.hundesport.test/disconnect',
  ]
  expect(listWrong(addresses, 'sign-out')).toEqual([])
  expect(judge('https://portal.stadtschule.test/x?id=5', { label: 'Abmelden' })).toBe('sign-out')
  for (const path of ['https://autohaus.test/app/7f', '/autor/do.php?x=9', '/kurse/7'])
    expect(judge(path, { label: 'Logout' })).toBe('sign-out')
  expect(judge('https://newsletter.stadt.test/abmelden')).toBe('opened')
})
