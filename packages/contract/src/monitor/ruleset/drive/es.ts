import type { DriveTexts } from './model.ts'

export const driveTextsEs: DriveTexts = {
  why: {
    focus: 'Quienes usan el teclado pierden el lugar: no se ve qué elemento responderá a la siguiente tecla.',
    keyboard: 'Quienes no pueden usar un ratón no pueden usar esta parte de la página, o no pueden salir de ella.',
    role: 'Un lector de pantalla se detiene aquí y no puede decir qué es el elemento ni qué hace.',
    surprise: 'Una página que cambia por sí sola mientras se recorre aparta a las personas de lo que estaban haciendo.',
    zoom: 'Quienes amplían el texto o leen en una pantalla pequeña no pueden leerlo todo, o deben desplazarse en cada línea.',
    hover:
      'El contenido que aparece bajo el puntero tapa lo que se está leyendo, y no se puede cerrar ni alcanzar con el puntero.',
    language: 'Un lector de pantalla elige su voz según el idioma. Con el equivocado, las palabras se vuelven ruido.',
    title: 'El título es lo primero que se anuncia y lo que distingue una página abierta de otra.',
    alternative: 'Quienes no ven la imagen oyen el nombre de un archivo, que no les dice nada.',
  },
  rules: {
    'drive-focus-visible': [
      'El foco del teclado no se ve',
      'Muestre con :focus-visible un contorno u otro cambio claro, en un color que destaque sobre el fondo.',
    ],
    'drive-invisible-stop': [
      'El foco del teclado va a algo invisible',
      'Quite el elemento del orden de tabulación mientras no se muestra, o muéstrelo cuando tenga el foco.',
    ],
    'drive-stop-without-role': [
      'Una parada de tabulación no dice qué es',
      'Use un botón o un enlace, o dé al elemento un rol y un nombre; un texto que no hace nada no necesita tabindex.',
    ],
    'drive-focus-obscured': [
      'Una barra fija tapa el elemento que tiene el foco',
      'Deje sitio para la barra con scroll-padding, o deje que se desplace con la página.',
    ],
    'drive-on-focus': [
      'El foco por sí solo abre otra página',
      'Reaccione cuando se pulse el elemento, no cuando reciba el foco.',
    ],
    'drive-keyboard-trap': [
      'El foco del teclado no puede salir del elemento',
      'Deje pasar Tab y Mayús+Tab, o devuelva el foco con Esc.',
    ],
    'drive-reflow': [
      'Hay líneas de texto que no caben en una ventana de 320 píxeles',
      'Deje que el texto pase de línea: sin anchuras fijas, sin nowrap y con columnas que se apilen en una ventana estrecha.',
    ],
    'drive-hover-content': [
      'Un contenido que aparece al pasar el puntero tapa otro texto y no se puede cerrar',
      'Permita cerrarlo con Esc y manténgalo abierto mientras el puntero esté encima.',
    ],
    'drive-mouse-only': [
      'Solo funciona con el ratón',
      'Use un botón o un enlace; si no, haga que el elemento reciba el foco y responda a Intro y Espacio.',
    ],
    'drive-page-language': [
      'El texto no está en el idioma que declara la página',
      'Indique el idioma del texto en el atributo lang del elemento html.',
    ],
    'drive-site-titles': [
      'Páginas distintas tienen el mismo título',
      'Empiece el título por el tema de la página y siga con el nombre del sitio.',
    ],
    'drive-orientation': [
      'El contenido aparece girado en una orientación de la pantalla',
      'Quite el giro y deje que el diseño siga la orientación.',
    ],
    'drive-image-file-name': [
      'El texto alternativo es el nombre de un archivo',
      'Describa lo que muestra la imagen, o deje vacío el texto alternativo si es decorativa.',
    ],
    'drive-text-spacing': [
      'El texto se corta cuando aumenta su espaciado',
      'Deje que las cajas crezcan con su texto: min-height en vez de height, y sin overflow: hidden.',
    ],
    'drive-zoom-text': [
      'El texto se corta cuando la página se amplía al 200 %',
      'Deje que las cajas crezcan con su texto en vez de seguir el tamaño de la ventana.',
    ],
    'drive-zoom-scale': [
      'El texto no crece cuando se amplía la página',
      'Indique los tamaños de texto en rem o em, no solo según el tamaño de la ventana.',
    ],
  },
  tests: {
    'drive-focus-visible': [
      'Tab recorre la página. Un elemento falla si no cambia ningún estilo suyo ni de lo que lo rodea. Se exceptúan los campos de texto con cursor, los reproductores y los marcos.',
      'El cambio apenas se ve, o el elemento es una caja sin nombre que solo se desplaza.',
    ],
    'drive-invisible-stop': [
      'Tab recorre la página. Un elemento falla si tiene el foco mientras está fuera de la ventana, es transparente, está recortado o tapado.',
      'El elemento no tiene tamaño, o solo contiene un icono cuya fuente puede faltar.',
    ],
    'drive-stop-without-role': [
      'Se prueban Intro, Espacio y un clic en las paradas de tabulación sin rol. Un elemento falla si alguno de ellos cambia algo.',
      'El elemento puede recibir el foco y no ocurre nada.',
    ],
    'drive-focus-obscured': [
      'Tab y Mayús+Tab recorren la página. Un elemento falla si una barra fija lo tapa por completo mientras tiene el foco.',
      '',
    ],
    'drive-on-focus': [
      'Cada elemento recibe el foco. Falla si la página intenta entonces abrir otra, lo que Clearway impide.',
      '',
    ],
    'drive-keyboard-trap': [
      'Donde el foco se queda, se prueban Tab, Mayús+Tab y Esc. El elemento falla si ninguna de esas teclas permite salir.',
      'El foco se queda en un diálogo, o la página indica una tecla para salir.',
    ],
    'drive-reflow': [
      'La ventana se estrecha a 320 píxeles. Una línea falla si cabía con 1.280 píxeles y ahora cruza el borde o queda cortada. Se exceptúan las tablas, el código, los medios, los mapas y las cajas con desplazamiento propio.',
      'Una línea queda toda más allá del borde, o termina en puntos suspensivos.',
    ],
    'drive-hover-content': [
      'El puntero pasa por los elementos que muestran algo y después se pulsa Esc.',
      'Lo que aparece tapa otro texto, y Esc no lo cierra.',
    ],
    'drive-mouse-only': [
      'Se hace clic en los elementos que responden a clics. En los que pueden recibir el foco se prueban antes Intro, Espacio y la flecha abajo. Un elemento falla si solo el clic cambia algo.',
      '',
    ],
    'drive-page-language': [
      'El idioma del texto se reconoce por su escritura y sus secuencias de letras, a partir de 400 caracteres. La página falla si lang indica otro idioma.',
      'Los dos idiomas son difíciles de distinguir en este texto.',
    ],
    'drive-site-titles': [
      'Se comparan los títulos de todas las páginas probadas de una ejecución. Las páginas fallan si comparten el título aunque su contenido sea distinto.',
      'Las direcciones solo se distinguen por números, como las páginas de una lista, o el contenido es muy parecido.',
    ],
    'drive-orientation': [
      'La ventana se gira de horizontal a vertical. La página falla si entonces la mayor parte de su contenido aparece girada.',
      '',
    ],
    'drive-image-file-name': [
      'Los textos alternativos se comparan con los nombres de los archivos de imagen. Una imagen falla si su texto alternativo es el nombre de su archivo.',
      'El texto alternativo parece el nombre de otro archivo, o uno que puso una cámara o un programa.',
    ],
    'drive-text-spacing': [
      'Las líneas, las letras y las palabras se separan como exige WCAG 1.4.12.',
      'Un texto que antes se veía entero queda entonces cortado.',
    ],
    'drive-zoom-text': [
      'La página se muestra como con un zoom del 200 %.',
      'Un texto que antes se veía entero queda entonces cortado.',
    ],
    'drive-zoom-scale': [
      'La página se mide con un zoom del 200 % y del 400 %.',
      'En ambos casos el texto crece menos de 1,9 veces.',
    ],
  },
}
