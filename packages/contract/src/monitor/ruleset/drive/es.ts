import type { DriveTexts } from './model.ts'

/** Spanish texts of the driven rules. */
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
}
