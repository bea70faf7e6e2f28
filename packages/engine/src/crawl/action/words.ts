// Words of links that act, as data. All words are lower case, without diacritics and separators: `cerrarsesion`.

export const toWords = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Objects of an action: `deleteComment`, `remove-user`. */
export const actionObjects = toWords(`
  account accounts user users member members item items post posts comment comments page pages file files entry entries
  record records row rows all selected message messages image images photo photos token tokens cache caches caching cart
  basket session sessions notice notices product products order orders group groups article articles node content document
  documents folder issue issues ticket tickets project plugin plugins theme module modules extension bulk multiple by id
  from the my this wishlist compare list review reviews profile avatar index it event events topic thread category tag link
  links address job task data confirm confirmed do ajax action now process perform permanently forever object version
  attachment media welcome panel web coupon mail mails email emails folder folders field fields reply replies answer answers
  foto fotos bild bilder datei dateien ordner beitrag beitraege eintrag eintraege nutzer benutzer konto nachricht
  nachrichten kommentar kommentare bestellung termin fichier fichiers dossier utilisateur compte commentaire commentaires
  commande article archivo archivos carpeta usuario cuenta mensaje mensajes comentario comentarios pedido articulo cartella
  utente messaggio messaggi commento commenti ordine articolo imagen imagenes immagine immagini 写真 画像 ファイル 投稿 コメント
`)

/** Verbs that change something wherever they are all of a part of the path. */
const firmVerbs = toWords(`
  delete del remove destroy draftdel unenrol unenroll untrash erase wipe unapprove disapprove unpublish deactivate uninstall
  revoke ban unban unfollow unlike unwatch unpin unblock unarchive unflag unspam unlink toggle purge flush truncate reindex
  rebuild regenerate impersonate masquerade reboot shutdown rollback undelete softdelete harddelete dismiss markread
  markasread markallread markasspam loginas emptytrash emptycart clearcart clearcache cacheclear runcron cronrun reorder
  moveup movedown loeschen entfernen deaktivieren papierkorbleeren sperren entsperren freischalten widerrufen stornieren
  supprimer effacer retirer enlever desactiver suppression bannir viderpanier viderlepanier depublier eliminar borrar quitar
  suprimir desactivar bloquear desbloquear vaciarcarrito despublicar revocar elimina eliminare cancella cancellare rimuovi
  rimuovere disattiva disattivare svuotacarrello revoca 削除 削除する 消去 消去する 取り消す 無効化 無効化する 非公開 非公開にする 解除 解除する 抹消 sakujo
  markunread markpaid markaspaid markasunread clearall clearnotifications clearhistory offboard deprovision anonymize anonymise anonymisieren
  mettrealacorbeille depublicar 取消 取り消し
`)

/** Verbs that are also nouns or names of pages: they act next to an id, or as the value of an action. */
const looseVerbs = toWords(`
  trash drop become create approve reject decline activate enable disable install publish spam ham archive restore cancel
  like dislike vote upvote downvote rate follow watch star unstar pin flag lock unlock block hide unhide close reopen resend
  retry requeue rerun run execute start stop restart kill abort sync refund suspend resume promote demote merge revert
  export backup clone duplicate reset subscribe unsubscribe confirm accept assign unassign claim complete finish generate
  clear empty protect unprotect upgrade update save submit send rollback markpatrolled checkin checkout join leave undo redo
  fork unstar kick mute unmute migrate bump exec execute trigger votar voter abstimmen votare verify release deploy play import switch swap mark unmark bookmark aktivieren freigeben genehmigen
  ablehnen veroeffentlichen archivieren wiederherstellen kuendigen abbrechen exportieren bestaetigen approuver activer
  publier annuler archiver restaurer refuser rejeter exporter vider valider masquer aprobar activar publicar cancelar
  archivar restaurar rechazar exportar vaciar anular confirmar ocultar approva approvare attiva attivare pubblica pubblicare
  annulla annullare archivia ripristina rifiuta esporta svuota nascondi conferma 承認 承認する 却下 有効化 有効化する 公開 公開する 復元 復元する キャンセル
  エクスポート 停止 実行 非表示
  dispatch escalate redeem writeoff rsvp terminate rotate finalize finalise renew ship deliver requeue versenden absenden
  erstatten erneuern verlaengern einloesen rembourser renouveler envoyer relancer reembolsar renovar enviar reenviar
  rimborsa rimborsare rinnova rinnovare invia 返金 送信
`)

/** Short names of commands. As parts of paths they are something else: `/rm/` for Romansh. */
export const commandNames: ReadonlySet<string> = new Set(['rm', 'mv', 'kill', 'wipe', 'unset'])

/** Words of a label between a verb and its object: `Supprimer la photo`. */
export const labelArticles: ReadonlySet<string> = new Set(
  toWords(
    'the a an this my these der die das den diesen diese dieses le la les l un une ce cette ces mon ma el los las esta este mi il lo gli i questo questa mio mia を',
  ),
)

/** Labels of links that begin work at once. */
export const immediateLabels: RegExp =
  /^(?:run|execute|start|send|sync|build|deploy|rebuild|reindex|back ?up|restart|import|publish)(?: (?:it|this|job|task))? now$|^jetzt (?:\w+ )?(?:ausfuhren|ausfuehren|starten|senden|abgleichen|sichern|importieren)$|^(?:executer|lancer|demarrer|envoyer|synchroniser|publier) (?:maintenant|immediatement)$|^(?:ejecutar|iniciar|enviar|sincronizar|publicar) ahora$|^(?:esegui|avvia|invia|sincronizza|pubblica) (?:ora|adesso|subito)$|^今すぐ(?:実行|開始|送信|同期|公開)(?:する)?$/

/** Verbs of choices, and names of parameters with the chosen answer. */
export const votingVerbs: ReadonlySet<string> = new Set(toWords('vote votar voter abstimmen votare rate 投票'))

/** Verbs of the second list that pages of numbers and years are named after: `/archive/15`. */
const neverBeforeId = new Set(
  toWords(`
  archive release flag start play import update checkout star watch run rate export close backup mark verify confirm save
  send reset create trash drop fork block lock pin spam ham 公開 switch bookmark dispatch ship deliver escalate redeem envoyer enviar 送信
  `),
)

/** Verbs of the second list that name a page about one thing: `/videos/5/watch`. As the value of an action, they act. */
const pageVerbs = new Set<string>([
  'start',
  'play',
  'watch',
  'run',
  'update',
  'checkout',
  'join',
  'import',
  'create',
  'save',
  'rate',
  'vote',
  'switch',
])

/** States and properties that a verb after an id sets: `/users/5/reset-password`, `/invoices/9/mark-as-paid`. */
export const actionStates: ReadonlySet<string> = new Set(
  toWords(`
    as for to paid unpaid read unread spam visibility password passwords approval frontpage homepage top featured favorite
    status solved resolved done complete completed public private active inactive default seen sticky sent
  `),
)
export const firmVerbSet: ReadonlySet<string> = new Set(firmVerbs)
export const firmVerbList: readonly string[] = firmVerbs
export const looseVerbSet: ReadonlySet<string> = new Set(looseVerbs)
export const looseVerbsAfterId: ReadonlySet<string> = new Set(looseVerbs.filter((verb) => !pageVerbs.has(verb)))
export const looseVerbsBeforeId: ReadonlySet<string> = new Set(looseVerbs.filter((verb) => !neverBeforeId.has(verb)))

/** Nouns of things that are switched by a link: `/plugins/activate/editor`. */
export const managedNouns: ReadonlySet<string> = new Set(
  toWords(`
  plugin plugins module modules theme themes extension extensions addon addons user users comment comments cache cron queue
  index maintenance backup backups exports orders customers contacts members subscribers submissions entries responses
  records settings db database
`),
)

/** Things whose work begins by a link with their number: `/jobs/4/run`. */
export const runnableNouns: ReadonlySet<string> = new Set(
  toWords(`
  job jobs task tasks workflow workflows pipeline pipelines build builds schedule schedules cron crons backup backups sync
  syncs migration migrations script scripts crawl crawls campaign campaigns queue queues auftrag auftraege tache taches
  tarea tareas lavoro lavori
`),
)
export const runningVerbs: ReadonlySet<string> = new Set([
  'run',
  'start',
  'runnow',
  'startnow',
  'starten',
  'lancer',
  'ejecutar',
  'esegui',
])

/** Machines and services that a link restarts or switches: `/server/restart`. */
export const machineNouns: ReadonlySet<string> = new Set(
  toWords(`
  server servers webserver appserver daemon daemons vm vms machine machines container containers instance instances worker
  workers cluster clusters appliance database db nginx apache serveur serveurs servidor servidores サーバー
`),
)
/** Parts of a path that are not machines, but restart one: `/admin/restart`. */
export const machineFolders: ReadonlySet<string> = new Set(
  toWords('admin system api manage management control maintenance console actuator sys verwaltung systeme sistema'),
)
export const restartVerbs: ReadonlySet<string> = new Set(
  toWords(`
  restart reboot shutdown poweroff powercycle halt hardreset softreset neustart neustarten herunterfahren redemarrer
  redemarrage reiniciar apagar riavvia riavviare spegni 再起動 シャットダウン
`),
)
/** Verbs that switch a machine, and begin other addresses: `/start`. */
export const machineVerbs: ReadonlySet<string> = new Set(
  toWords('start stop kill reload pause resume suspend starten stoppen demarrer arreter iniciar detener avvia arresta 起動 停止'),
)

const projectNouns = 'repo repos repository repositories gist gists project projects'
/** Things with a name that users collect and judge: `/users/anna/follow`. */
export const socialNouns: ReadonlySet<string> = new Set(
  toWords(`
  ${projectNouns} snippet snippets user users profile profiles member members
  post posts comment comments status statuses answer answers question questions photo photos review reviews channel channels
  playlist playlists community communities people persona
`),
)
export const socialVerbs: ReadonlySet<string> = new Set(
  toWords('fork star unstar follow like dislike vote upvote downvote subscribe favorite bookmark repost retweet boost pin'),
)
/** Things that users watch for changes; elsewhere, `watch` is a page with a film. */
export const watchedNouns: ReadonlySet<string> = new Set(
  toWords(`
  ${projectNouns} issue issues ticket tickets thread threads topic topics
  board boards page pages auction auctions
`),
)

/** Parts of a path below which pages are texts about something. */
export const articleFolders: ReadonlySet<string> = new Set(
  toWords(`
  help docs doc documentation faq faqs kb knowledge knowledgebase article articles guide guides howto tutorial tutorials
  manual manuals reference glossary learn learning blog blogs news tag tags topic topics category categories search
  dictionary define definition word words term terms wiki handbook stories story magazine magazin press presse academy
  recipes tips how thesaurus translate commands cheatsheet man api-docs hilfe anleitung anleitungen handbuch ratgeber
  artikel lexikon glossar nachrichten beitrag beitraege thema themen suche aide actualites lexique glossaire dictionnaire
  conseils recherche manuel tutoriels centre-aide ayuda guia guias articulo articulos glosario noticias diccionario buscar
  manuales consejos etiqueta aiuto guida articoli articolo glossario notizie dizionario cerca consigli manuale assistenza
  ヘルプ 記事 ガイド ブログ 用語集 ニュース 使い方 マニュアル 検索 タグ
`),
)
/** Those of them that explain the use of something. Elsewhere, a verb after a number acts: `/articles/5/delete`. */
export const helpFolders: ReadonlySet<string> = new Set(
  toWords(`
  help docs doc documentation faq faqs kb knowledge knowledgebase guide guides howto tutorial tutorials manual manuals learn
  learning handbook academy api-docs support hilfe anleitung anleitungen handbuch ratgeber aide manuel tutoriels centre-aide
  ayuda guia guias manuales aiuto guida manuale assistenza ヘルプ ガイド 使い方 マニュアル
`),
)
/** Parts of a path below which texts are managed, not read: `/admin/noticias/publicar/64`. */
export const managementFolders: ReadonlySet<string> = new Set(
  toWords(`
  admin administrator administrators administration administracion amministrazione verwaltung wp-admin backend backoffice
  back-office manage management manager gestion gestione gestor redaktion redaccion redazione 管理 管理画面
`),
)
/** Parts of a path for what was done, with filters by it: `/audit?event=logout`. */
export const logFolders: ReadonlySet<string> = new Set(
  toWords(`
  audit auditlog auditlogs audit-log audit-logs audits log logs logfile logbook events eventlog event-log event-logs activity
  activities activitylog activity-log history journal protokoll protokolle ereignisse verlauf aktivitaeten journaux evenements
  historique activite registro registros eventos historial actividad registri eventi cronologia attivita security-log
  securitylog sign-ins signins ログ 履歴 監査 イベント
`),
)
/** Those of them in which a part that is a whole way to sign out is an article, too. */
export const documentationFolders: ReadonlySet<string> = new Set(
  [...articleFolders].filter(
    (folder) => !['wiki', 'blog', 'blogs', 'news', 'press', 'presse', 'search', 'magazin', 'assistenza'].includes(folder),
  ),
)

/** Parameters whose value names an action. */
export const actionParameters: ReadonlySet<string> = new Set(
  toWords(`
  action actions act op operation do cmd command task event func function fn doaction action2 subaction method submit button
  btn ajax route bulkaction what todo aktion azione accion befehl
`),
)
/** Parameters whose value names an action or something else: only firm verbs count. */
export const looseActionParameters: ReadonlySet<string> = new Set([
  'mode',
  'a',
  'm',
  'r',
  'job',
  'step',
  'process',
  'state',
  'set',
  'p',
])

/** Parameters with texts, and with the next URL. */
export const textParameters: ReadonlySet<string> = new Set(
  toWords(`
  s q query search searchterm searchword term terms keyword keywords text tag tags topic title name article category cat
  word label filter sort order orderby status type lang suche recherche buscar cerca redirect redirectto redirecturl
  redirecturi return returnto returnurl next continue url uri ref referer referrer back backurl dest destination from to
  goto target origin wphttpreferer postlogoutredirecturi utmcampaign utmsource utmcontent
`),
)

/** Things that a shop collects, and phrases that collect them. */
export const collectionWords: ReadonlySet<string> = new Set(
  toWords(`
  cart basket bag trolley wishlist wishlists compare comparison favorites favorites favorite productcompare bookmarks
  friends friend warenkorb merkliste wunschliste wunschzettel vergleich vergleichsliste favoriten panier favoris comparateur
  listedenvies carrito cesta favoritos comparar listadedeseos carrello preferiti confronta listadesideri カート お気に入り 比較
`),
)
export const collectionVerbs: ReadonlySet<string> = new Set(
  toWords(`
  add additem remove update clear empty delete updatecart addtocart change increase decrease plus minus share hinzufuegen
  entfernen leeren ajouter vider supprimer anadir agregar vaciar aggiungi rimuovi svuota 追加 削除 空にする
`),
)
export const collectionPhrases = toWords(`
  addtocart addtobasket addtobag addtowishlist addtocompare addtofavorites addtofavorites additemtocart addproducttocart
  removefromcart removefromwishlist removefrombasket removefromcompare removeitem undoitem emptycart clearcart addtolist
  addcart cartadd addwishlist wishlistadd addcompare compareadd buynow quickorder addproduct movetocart reorder
  indenwarenkorb indenwarenkorblegen ausdemwarenkorb aufdiemerkliste zumerkliste zurmerkliste aufdenwunschzettel
  zurwunschliste ajouteraupanier ajoutpanier ajouterpanier retirerdupanier ajouterauxfavoris anadiralcarrito
  agregaralcarrito anadircarrito quitardelcarrito anadirafavoritos aggiungialcarrello aggiungicarrello rimuovidalcarrello
  aggiungiaipreferiti カートに入れる カートに追加 お気に入りに追加 カートから削除 比較に追加
`)

/** Objects of a download that is put together when it is asked for. */
export const producedObjects: ReadonlySet<string> = new Set([
  'all',
  'archive',
  'zip',
  'export',
  'backup',
  'data',
  'report',
  'bulk',
  'selected',
  'dump',
])
/** Words that begin such work: `/export/start`. */
export const producingVerbs: ReadonlySet<string> = new Set([
  'start',
  'create',
  'run',
  'generate',
  'build',
  'make',
  'execute',
  'starten',
  'erstellen',
  'stop',
  'restart',
  'cancel',
  'abort',
  'stoppen',
  'abbrechen',
])
export const producingFolders: ReadonlySet<string> = new Set([
  'export',
  'exports',
  'backup',
  'backups',
  'dump',
  'dumps',
  'reports',
  'report',
  'invoices',
])
export const exportVerbs: ReadonlySet<string> = new Set([
  'export',
  'exporter',
  'exportieren',
  'exportar',
  'esporta',
  'エクスポート',
  'backup',
  'dump',
  'exportall',
  'exportcsv',
])

/** Endpoints of frameworks that do something and have no page. */
export const actingPaths: readonly RegExp[] = [
  /\/wp-admin\/admin-(?:post|ajax)\.php$/,
  /\/(?:wp-)?cron(?:\.php|\/[\w-]{8,})$/,
  /\/(?:xmlrpc|post-comment|wp-comments-post)\.php$/,
  /\/_layouts\/(?:\d+\/)?(?:signout|closeconnection)\.aspx$/,
  /\/typo3\/(?:record\/commit|ajax\/|flush|logout)/,
  /\/job\/[^/]+\/(?:build|buildwithparameters|disable|enable|dodelete|dowipeoutworkspace)\/?$/,
  /\/(?:quietdown|cancelquietdown|saferestart|safeexit)$/,
  /\/secure\/(?:votequeue|voteissue|watchissue|voteorwatch\w*)/,
]
/** Parameters whose presence does something, with the path on which they do. */
export const actingParameters: readonly { name: RegExp; value?: RegExp; path?: RegExp }[] = [
  { name: /^welcome$/, value: /^0$/, path: /\/wp-admin\// },
  { name: /^cmd\[.+\]\[(?:delete|undelete|copy|move|localize|swap)\]/ },
  { name: /^data\[\w+\]\[\w+\]\[\w+\]$/ },
  { name: /^_method$/, value: /^(?:delete|put|patch|post)$/i },
  { name: /^_?switch_user$|^switch_to_user$|^su$/ },
  // WS-Federation: https://docs.oasis-open.org/wsfed/federation/v1.2/ws-federation.html, section 13.2.4.
  { name: /^wa$/, value: /^wsignout/i },
  // The link of a mail that ends a subscription; without a subscriber, it is a page with a form.
  {
    name: /^(?:\w*_?(?:id|token|key|hash|code|mail)|[uteskhc]|user|subscriber|member|list|abonne)$/,
    path: /\/(?:unsubscribe|unsub|opt-?out|abmelden|abbestellen|austragen|desabonner|desabonnement|desinscription|desinscrire|(?:darse-de-)?baja|cancelar-suscripcion|disiscriviti|annulla-iscrizione|afmelden|uitschrijven)(?:\.\w+)?\/?$/,
  },
  { name: /^sql(?:_query)?$/, value: /^\s*(?:drop|delete|truncate|update|insert|alter|create|replace|grant|revoke)\b/i },
  {
    name: /^(?:add|remove|delete|update|clear)$/,
    path: /(?:cart|basket|warenkorb|panier|carrito|carrello|wishlist|checkout)(?:\.\w+)?\/?$/,
  },
  { name: /^(?:confirm(?:ed)?|sure|bestaetigt)$/, value: /^(?:1|yes|true|y|ja|oui|si)$/i },
  {
    name: /^(?:approve|unapprove|trash|spam|ban|like|vote|follow|unfollow|publish|archive|restore|cancel|lock|unlock)(?:_?id)?$/,
    value: /^\d+$/,
  },
  { name: /^(?:do_?)?(?:export|backup|dump)$/, value: /^(?:1|true|yes|all|csv|xlsx?|xml|json|zip|pdf|sql)$/i },
  {
    name: /^(?:start|stop|cancel|abort|restart)(?:_?(?:now|export|job))?$/,
    value: /^(?:1|true|yes|y|on|now)$/i,
    path: /\/(?:exports?|backups?|dumps?|archives?)\/[^/]+\/?$|\/(?:export|backup|dump)\.\w+$/,
  },
  {
    name: /^(?:run|generate|build|rebuild|regenerate)(?:_?(?:now|export|job))?$/,
    value: /^(?:1|true|yes|y|on|now)$/i,
    path: /\/(?:exports?|backups?|dumps?|archives?|reports?)(?:\/|\.\w+$|$)/,
  },
  // A form token of Joomla is the name of a parameter.
  { name: /^[0-9a-f]{32}$/, value: /^1$/ },
]
