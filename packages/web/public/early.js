// Runs before the first paint, so that a chosen theme never flashes in the other one.
{
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const theme = read('monitor.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (read('monitor.density') === 'compact') document.documentElement.dataset.density = 'compact'
}
