import type { ButtonEffect } from './managers.ts'

// Words by which banners without a known manager are recognized: English, German, French, Spanish, Italian, Japanese, Dutch,
// Portuguese. Each pattern fits the whole text of a button in lower case, without spaces and signs around it.

const refuseWords = [
  // English
  '(i )?(reject|refuse|decline|deny|disagree)( (to )?(all|everything))?( (optional|non-essential|additional|unnecessary|other))?( cookies)?( (and|&) (close|continue))?',
  '(i )?(do not|don.?t) (accept|agree|consent|allow|track)( (all|cookies|me))?',
  '(?=.*(only|just|use|accept|allow|keep))(use |accept |allow |keep )?(only |just )?(the )?(strictly )?(necessary|essential|required|functional)( cookies)?( only)?',
  'only (accept|allow|use) (strictly )?(necessary|essential|required)( cookies)?',
  '(continue|proceed) without (accepting|agreeing|consent|consenting|cookies)',
  '(object to|opt out of) all|opt[ -]out|no to all|no cookies',
  // German
  '(alle |alles )?(optionalen |weiteren |nicht notwendigen )?(cookies )?(ablehnen|verweigern|zurückweisen)( und (schließen|weiter))?',
  '(ich )?lehne (alle|alles )?(cookies )?ab|nicht (zustimmen|akzeptieren|einverstanden)|allen? widersprechen',
  '(?=.*(nur|akzeptieren|zulassen|erlauben|verwenden|speichern))(nur )?(die )?(technisch |unbedingt )?(notwendige|notwendigen|erforderliche|erforderlichen|essenzielle|essenziellen|essentielle|essentiellen)( cookies)?( akzeptieren| zulassen| erlauben| verwenden| speichern)?',
  '(weiter |fortfahren )?ohne (zustimmung|einwilligung|einverständnis|zu akzeptieren)( weiter| fortfahren| fortsetzen)?',
  // French
  '(je )?(tout )?(refuse|refuser|rejeter|décliner|interdire)( (tout|tous|toutes))?( (les )?cookies)?( et (fermer|continuer))?|(je )?n.accepte pas',
  '(continuer|poursuivre) sans (accepter|consentir)|(?=.*(uniquement|seulement))(accepter )?(uniquement |seulement )?(les )?(cookies )?(strictement )?(nécessaires|essentiels|obligatoires)( uniquement| seulement)?|interdire tous les cookies',
  // Spanish
  '(rechazar|denegar|rechazo|rehusar)(lo)?( (todo|todas|todos))?( las)?( cookies)?( opcionales| no esenciales)?|no (acepto|aceptar|permitir)|(continuar|seguir) sin aceptar',
  '(?=.*(solo|sólo|únicamente))(aceptar |usar |permitir )?(solo|sólo|únicamente)?( las)?( cookies)? ?(necesarias|esenciales|imprescindibles)( solo| únicamente)?',
  // Italian
  '(rifiuta|rifiutare|rifiuto|nega|negare|declina)( (tutti|tutto|tutte))?( i)?( cookie)?( non necessari| opzionali)?|non (accetto|accettare|acconsento)|(continua|prosegui)(re)? senza accettare',
  '(accetta |usa )?(solo|soltanto)( i)?( cookie)? ?(necessari|essenziali|tecnici)|(cookie )?(necessari|essenziali|tecnici) soltanto',
  // Japanese
  '(すべて|全て)?(の)?(cookie|クッキー)?(を)?(拒否|拒絶)(する|します)?|(すべて|全て)拒否(する)?|(同意|許可|承認)しない|同意せずに(続ける|進む)',
  '(必須|必要|必要最低限|必要不可欠)(な|の)?(cookie|クッキー)?(のみ|だけ)(を)?(許可|使用|受け入れ|同意)?(する)?',
  // Dutch
  '(alle |alles )?(optionele |niet-noodzakelijke )?(cookies )?(weigeren|afwijzen)|(ik )?weiger( alle| alles)?( cookies)?|niet (akkoord|accepteren|toestaan)|(verder|doorgaan) zonder (te )?(accepteren|toestemming)',
  '(alleen|enkel) (de )?(strikt )?(noodzakelijke|functionele|essentiële|vereiste)( cookies)?( accepteren| toestaan| gebruiken)?',
  // Portuguese
  '(rejeitar|recusar|negar|recuso|rejeito)( (tudo|todos|todas))?( os)?( cookies)?( opcionais| não essenciais)?|não (aceito|aceitar|concordo|permitir)|continuar sem aceitar',
  '(aceitar |usar )?(apenas|somente|só)( os)?( cookies)? ?(necessários|essenciais|obrigatórios)',
]

const dismissWords = [
  'no,? thanks?|no thank you|not now|maybe later|not interested|skip for now',
  'nein,? danke|nicht jetzt|vielleicht später|später',
  'non,? merci|pas maintenant|plus tard',
  'no,? gracias|ahora no|más tarde',
  'no,? grazie|non ora|più tardi',
  'いいえ、?結構です|今はしない|後で|あとで',
  'nee,? (bedankt|dank je)|niet nu|later',
  'não,? obrigad[oa]|agora não|mais tarde',
]

const saveWords = [
  '(save|confirm|submit)( (my|your|these|current))?( (choices?|preferences?|settings?|selection))?( (and|&) (close|exit))?|allow selection',
  '(auswahl|einstellungen?) (speichern|bestätigen|übernehmen|erlauben)|speichern( und schließen| & schließen)?|auswahl',
  '(enregistrer|sauvegarder|confirmer|valider)( (et|&) (fermer|quitter))?( (mes|les|la|ma))?( (choix|préférences|sélection))?',
  '(guardar|confirmar)( y salir)?( (mis|las|la))?( (preferencias|elecciones|configuración|selección))?',
  '(salva|conferma)( ed? esci)?( (le|le mie|la))?( (preferenze|scelte|selezione|impostazioni))?',
  '(設定|選択)(内容)?(を)?保存(する)?|保存(する|して終了)?|選択を(確認|許可)(する)?',
  '(keuzes?|voorkeuren|instellingen|selectie) (opslaan|bevestigen|toestaan)|opslaan( en sluiten)?',
  '(guardar|salvar|confirmar)( e sair)?( (as|minhas))?( (preferências|escolhas|definições|configurações))?',
]

const openWords = [
  '(more|other) (options|choices)|(manage|customi[sz]e|change|adjust|show|view|see|edit)( (my|your|all))?( (cookies?|consent|privacy))?( (options|preferences|settings|choices|purposes|details))?|(cookie |privacy |consent |advanced )?(settings|preferences|options)|let me choose|personali[sz]e',
  '(cookie-?|datenschutz-?|erweiterte |weitere |individuelle |alle )?(einstellungen|optionen|präferenzen)( (verwalten|anpassen|ändern|anzeigen|öffnen|festlegen))?|anpassen|mehr optionen|individuell( einstellen)?|auswählen|verwalten',
  '(paramétrer|personnaliser|gérer|configurer)( (mes|les|vos))?( (choix|cookies|préférences|paramètres|options))?|paramètres( des cookies)?|plus d.options|préférences|en savoir plus et paramétrer',
  '(configurar|personalizar|gestionar|administrar)( (las|mis|los))?( (cookies|preferencias|opciones|ajustes))?|(ver )?más opciones|configuración( de cookies)?|preferencias',
  '(personalizza|gestisci|configura|modifica)( (le|i))?( (cookie|preferenze|opzioni|impostazioni|scelte))?|(altre|più|maggiori) opzioni|preferenze|impostazioni( dei cookie)?|scopri di più e personalizza',
  '(cookie|クッキー|詳細|プライバシー)?(の)?(設定|オプション)(を)?(管理|変更|表示|カスタマイズ)?(する)?|カスタマイズ(する)?|その他のオプション',
  '(cookie-?|cookies? )?(instellingen|voorkeuren)( (aanpassen|beheren|wijzigen))?|(zelf )?(aanpassen|instellen)|meer opties|beheren',
  '(personalizar|gerir|gerenciar|configurar)( (os|as|meus|minhas))?( (cookies|preferências|opções|definições|configurações))?|mais opções|definições( de cookies)?|preferências',
]

const acceptWords = [
  '(i )?(accept|allow|agree|consent|understand)( (to|and close|and continue|& close))?( (all|everything))?( (of )?(the )?(cookies?|recommended))?|(yes,? )?i(.m| am)? (agree|ok(ay)?( with (that|cookies))?|accept|understand)|approve( all)?( the)? cookies|got it!?|ok(ay)?|yes|that.s (ok|fine)|enable all|continue',
  '(alle |allen |alles )?(cookies )?(akzeptieren|annehmen|erlauben|zulassen|zustimmen|bestätigen)( (und|&) (schließen|weiter|fortfahren))?|(ich )?(stimme (allen )?zu|bin einverstanden|akzeptiere( alle)?)|einverstanden|verstanden|zustimmen und weiter',
  '(j.)?(tout )?(accepter?|autoriser|consentir|consens)( (tout|tous|toutes))?( (les )?cookies)?( (et|&) (fermer|continuer))?|d.accord|j.ai compris|compris|ok pour moi',
  '(aceptar?|acepto|permitir|autorizar|consentir)(lo)?( (todo|todas|todos))?( las)?( cookies)?( y (cerrar|continuar))?|de acuerdo|entendido|estoy de acuerdo',
  '(accetta|accetto|accettare|consenti|acconsento|acconsenti|autorizza)( (tutti|tutto|tutte))?( i)?( cookie)?( e (chiudi|continua))?|ho capito|va bene|sono d.accordo',
  '(すべて|全て)?(の)?(cookie|クッキー)?(を|に)?(許可|同意|承諾|受け入れ|承認)(る|する|します)?|(同意|了解|承知)(する|しました|して続ける|して進む|して閉じる)?|はい',
  '(alle |alles )?(cookies )?(accepteren|toestaan|aanvaarden)|(ik ga )?akkoord|accepteer( alle| alles)?( cookies)?|begrepen|prima',
  '(aceitar?|aceito|permitir|concordo|concordar)( (tudo|todos|todas))?( os)?( cookies)?( e (fechar|continuar))?|entendi|de acordo',
]

export const buttonWords: Readonly<Record<ButtonEffect, string>> = {
  refuse: refuseWords.join('|'),
  dismiss: dismissWords.join('|'),
  save: saveWords.join('|'),
  open: openWords.join('|'),
  accept: acceptWords.join('|'),
}

/** Words in a banner about consent. Without them, a button named “Decline” may do anything. */
export const consentWords =
  'cookie|consent|privacy|tracking|gdpr|datenschutz|einwilligung|zustimm|dsgvo|privatsphäre|confidentialit|vie privée|traceurs|consentement|rgpd|privacidad|consentimiento|riservatezza|consenso|tracciamento|クッキー|プライバシー|同意|個人情報|toestemming|gegevens|privacidade|dados pessoais'
