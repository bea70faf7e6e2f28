import type { DriveTexts } from './model.ts'

/** Italian texts of the driven rules. */
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
}
