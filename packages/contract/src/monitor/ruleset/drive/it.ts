import type { DriveTexts } from './model.ts'

export const driveTextsIt: DriveTexts = {
  why: {
    focus: 'Chi usa la tastiera perde il punto in cui si trova: non si vede quale elemento reagirà al prossimo tasto.',
    keyboard: 'Chi non può usare il mouse non può usare questa parte della pagina, o non riesce a uscirne.',
    role: 'Uno screen reader si ferma qui e non può dire che cosa sia l’elemento né che cosa faccia.',
    surprise: 'Una pagina che cambia da sola mentre la si percorre distoglie le persone da ciò che stavano facendo.',
    zoom: 'Chi ingrandisce il testo o legge su uno schermo piccolo non può leggere tutto, o deve scorrere a ogni riga.',
    hover:
      'Il contenuto che appare sotto il puntatore copre ciò che si sta leggendo, e non si può chiudere né raggiungere con il puntatore.',
    language: 'Uno screen reader sceglie la voce in base alla lingua. Con quella sbagliata, le parole diventano rumore.',
    title: 'Il titolo è la prima cosa che viene annunciata e distingue una pagina aperta dall’altra.',
    alternative: 'Chi non vede l’immagine sente il nome di un file, che non gli dice nulla.',
  },
  rules: {
    'drive-focus-visible': [
      'Il focus della tastiera non è visibile',
      'Mostra con :focus-visible un contorno o un altro cambiamento evidente, in un colore che risalti sullo sfondo.',
    ],
    'drive-invisible-stop': [
      'Il focus della tastiera va su qualcosa di invisibile',
      'Togli l’elemento dall’ordine di tabulazione finché non è mostrato, o mostralo quando ha il focus.',
    ],
    'drive-stop-without-role': [
      'Una fermata di tabulazione non dice che cos’è',
      'Usa un pulsante o un link, o dai all’elemento un ruolo e un nome; un testo che non fa nulla non ha bisogno di tabindex.',
    ],
    'drive-focus-obscured': [
      'L’elemento con il focus è coperto da una barra fissa',
      'Lascia spazio per la barra con scroll-padding, o falla scorrere con la pagina.',
    ],
    'drive-on-focus': [
      'Il solo focus apre un’altra pagina',
      'Reagisci quando l’elemento viene premuto, non quando riceve il focus.',
    ],
    'drive-keyboard-trap': [
      'Il focus della tastiera non può lasciare l’elemento',
      'Lascia passare Tab e Maiusc+Tab, o restituisci il focus con Esc.',
    ],
    'drive-reflow': [
      'Alcune righe di testo non stanno in una finestra di 320 pixel',
      'Lascia che il testo vada a capo: niente larghezze fisse, niente nowrap, e colonne che si impilano in una finestra stretta.',
    ],
    'drive-hover-content': [
      'Un contenuto che appare al passaggio del puntatore copre altro testo e non si può chiudere',
      'Permetti di chiuderlo con Esc e lascialo aperto finché il puntatore è su di esso.',
    ],
    'drive-mouse-only': [
      'Funziona solo con il mouse',
      'Usa un pulsante o un link; altrimenti rendi l’elemento raggiungibile dal focus e reagisci a Invio e Spazio.',
    ],
    'drive-page-language': [
      'Il testo non è nella lingua che la pagina dichiara',
      'Indica la lingua del testo nell’attributo lang dell’elemento html.',
    ],
    'drive-site-titles': [
      'Pagine diverse hanno lo stesso titolo',
      'Inizia il titolo con l’argomento della pagina, poi il nome del sito.',
    ],
    'drive-orientation': [
      'Il contenuto è ruotato in un orientamento dello schermo',
      'Togli la rotazione e lascia che il layout segua l’orientamento.',
    ],
    'drive-image-file-name': [
      'Il testo alternativo è il nome di un file',
      'Descrivi ciò che mostra l’immagine, o lascia vuoto il testo alternativo se è decorativa.',
    ],
    'drive-text-spacing': [
      'Il testo viene tagliato quando la spaziatura aumenta',
      'Lascia che i riquadri crescano con il testo: min-height invece di height, e niente overflow: hidden.',
    ],
    'drive-zoom-text': [
      'Il testo viene tagliato quando la pagina è ingrandita al 200 %',
      'Lascia che i riquadri crescano con il testo invece di seguire la dimensione della finestra.',
    ],
    'drive-zoom-scale': [
      'Il testo non diventa più grande quando la pagina viene ingrandita',
      'Indica le dimensioni del testo in rem o em, non solo in base alla finestra.',
    ],
  },
  tests: {
    'drive-focus-visible': [
      'Tab percorre la pagina. Un elemento non supera il controllo se non cambia nessuno stile, né suo né di ciò che lo circonda. Sono esclusi i campi di testo con cursore, i lettori multimediali e i frame.',
      'Il cambiamento si vede appena, o l’elemento è un riquadro senza nome che scorre soltanto.',
    ],
    'drive-invisible-stop': [
      'Tab percorre la pagina. Un elemento non supera il controllo se ha il focus mentre è fuori dalla finestra, trasparente, tagliato o coperto.',
      'L’elemento non ha dimensioni, o contiene solo un’icona il cui font può mancare.',
    ],
    'drive-stop-without-role': [
      'Sulle fermate di tabulazione senza ruolo si provano Invio, Spazio e un clic. Un elemento non supera il controllo se uno di questi cambia qualcosa.',
      'L’elemento può ricevere il focus e non succede nulla.',
    ],
    'drive-focus-obscured': [
      'Tab e Maiusc+Tab percorrono la pagina. Un elemento non supera il controllo se una barra fissa lo copre del tutto mentre ha il focus.',
      '',
    ],
    'drive-on-focus': [
      'Ogni elemento riceve il focus. Non supera il controllo se a quel punto la pagina tenta di aprirne un’altra, cosa che Clearway impedisce.',
      '',
    ],
    'drive-keyboard-trap': [
      'Dove il focus resta fermo, si provano Tab, Maiusc+Tab ed Esc. L’elemento non supera il controllo se nessuno di questi tasti permette di uscire.',
      'Il focus resta in una finestra di dialogo, o la pagina indica un tasto per uscire.',
    ],
    'drive-reflow': [
      'La finestra viene ristretta a 320 pixel. Una riga non supera il controllo se a 1.280 pixel ci stava e ora oltrepassa il bordo o viene tagliata. Sono esclusi tabelle, codice, contenuti multimediali, mappe e riquadri con scorrimento proprio.',
      'Una riga è tutta oltre il bordo, o termina con i puntini di sospensione.',
    ],
    'drive-hover-content': [
      'Il puntatore passa sugli elementi che mostrano qualcosa, poi si preme Esc.',
      'Ciò che appare copre altro testo, ed Esc non lo chiude.',
    ],
    'drive-mouse-only': [
      'Si fa clic sugli elementi che reagiscono ai clic. Su quelli che possono ricevere il focus si provano prima Invio, Spazio e la freccia giù. Un elemento non supera il controllo se solo il clic cambia qualcosa.',
      '',
    ],
    'drive-page-language': [
      'La lingua del testo si riconosce dalla scrittura e dalle sequenze di lettere, a partire da 400 caratteri. La pagina non supera il controllo se lang indica un’altra lingua.',
      'In questo testo le due lingue sono difficili da distinguere.',
    ],
    'drive-site-titles': [
      'Si confrontano i titoli di tutte le pagine verificate di un’esecuzione. Le pagine non superano il controllo se hanno lo stesso titolo benché il contenuto sia diverso.',
      'Gli indirizzi si distinguono solo per i numeri, come le pagine di un elenco, o il contenuto è molto simile.',
    ],
    'drive-orientation': [
      'La finestra passa da orizzontale a verticale. La pagina non supera il controllo se a quel punto gran parte del contenuto è ruotata.',
      '',
    ],
    'drive-image-file-name': [
      'I testi alternativi vengono confrontati con i nomi dei file delle immagini. Un’immagine non supera il controllo se il suo testo alternativo è il nome del suo file.',
      'Il testo alternativo sembra il nome di un altro file, o un nome dato da una fotocamera o da un programma.',
    ],
    'drive-text-spacing': [
      'Righe, lettere e parole vengono spaziate come richiede WCAG 1.4.12.',
      'Un testo che prima era intero viene tagliato.',
    ],
    'drive-zoom-text': ['La pagina viene mostrata come con uno zoom del 200 %.', 'Un testo che prima era intero viene tagliato.'],
    'drive-zoom-scale': [
      'La pagina viene misurata con uno zoom del 200 % e del 400 %.',
      'In entrambi i casi il testo cresce di meno di 1,9 volte.',
    ],
  },
}
