import theme from 'vitepress/theme'
import Layout from './layout.vue'
import './legible.css'

export default { ...theme, Layout }
