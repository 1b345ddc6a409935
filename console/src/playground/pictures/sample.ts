// The sample that an empty playground opens with: a lake at dusk, drawn by this page, so that nothing has to be found
// before the first video. Owns the drawing and the prompt; uploading it is the playground's.

/** Stands for the sample in a draft until it has been uploaded. */
export const sampleUrl = 'sample:dusk'
export const samplePrompt = 'Dusk over the lake. The camera pushes in slowly towards the boat while the mist drifts by.'

const width = 1280
const height = 720
const horizon = 430

export function drawSample(): Promise<File> {
  const { canvas, paint } = newCanvas(height)
  drawSky(paint)
  for (const [index, ridge] of ridges.entries()) drawRidge(paint, ridge, index)
  drawLake(paint, canvas)
  drawBoat(paint, 455, 540)
  drawShore(paint)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob
          ? resolve(new File([blob], 'dusk-over-the-lake.jpg', { type: 'image/jpeg' }))
          : reject(new Error('The sample could not be drawn.')),
      'image/jpeg',
      0.9,
    )
  })
}

function newCanvas(rows: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = rows
  return { canvas, paint: canvas.getContext('2d')! }
}

function gradient(paint: CanvasRenderingContext2D, top: number, bottom: number, stops: [number, string][]) {
  const fill = paint.createLinearGradient(0, top, 0, bottom)
  for (const [at, colour] of stops) fill.addColorStop(at, colour)
  return fill
}

function drawSky(paint: CanvasRenderingContext2D): void {
  paint.fillStyle = gradient(paint, 0, horizon, [
    [0, '#1d2544'],
    [0.35, '#4b3f6b'],
    [0.62, '#a8597a'],
    [0.82, '#ec8a5c'],
    [1, '#ffd08a'],
  ])
  paint.fillRect(0, 0, width, height)
  const random = seeded(7)
  for (let star = 0; star < 90; star++) {
    const y = random() ** 2 * 190
    paint.fillStyle = `rgba(255,244,226,${(1 - y / 190) * (0.25 + 0.6 * random())})`
    const size = 0.6 + random() * 1.3
    paint.fillRect(random() * width, y, size, size)
  }
  const sun = paint.createRadialGradient(820, 372, 8, 820, 372, 330)
  sun.addColorStop(0, 'rgba(255,246,214,1)')
  sun.addColorStop(0.12, 'rgba(255,232,178,0.95)')
  sun.addColorStop(0.2, 'rgba(255,196,120,0.42)')
  sun.addColorStop(1, 'rgba(255,160,100,0)')
  paint.fillStyle = sun
  paint.fillRect(0, 0, width, height)
  for (let band = 0; band < 9; band++) {
    const y = 150 + band * 24 + random() * 12
    const x = random() * width
    const cloud = paint.createRadialGradient(x, 0, 0, x, 0, 200 + random() * 260)
    cloud.addColorStop(0, `rgba(255,${150 + band * 8},${120 + band * 4},0.3)`)
    cloud.addColorStop(1, 'rgba(255,160,120,0)')
    paint.save()
    paint.translate(0, y)
    paint.scale(1, 0.05)
    paint.fillStyle = cloud
    paint.fillRect(0, -300, width, 600)
    paint.restore()
  }
}

interface Ridge {
  base: number
  rise: number
  top: string
  foot: string
}

const ridges: Ridge[] = [
  { base: 372, rise: 120, top: '#8a5a7e', foot: '#e39a7c' },
  { base: 396, rise: 112, top: '#5f4a72', foot: '#b5737a' },
  { base: 416, rise: 84, top: '#3d3a5e', foot: '#7d5670' },
  { base: 428, rise: 46, top: '#252848', foot: '#453b5c' },
]

function ridgeHeight(x: number, index: number): number {
  let sum = 0
  for (let octave = 1; octave <= 6; octave++) {
    sum += Math.sin(x * 0.0021 * 1.9 ** octave + index * 2.7 * octave + octave) / 1.75 ** octave
  }
  return 0.5 + 0.62 * sum
}

function drawRidge(paint: CanvasRenderingContext2D, ridge: Ridge, index: number): void {
  paint.beginPath()
  paint.moveTo(0, horizon)
  for (let x = 0; x <= width; x += 2) paint.lineTo(x, ridge.base - ridge.rise * ridgeHeight(x, index))
  paint.lineTo(width, horizon)
  paint.fillStyle = gradient(paint, ridge.base - ridge.rise, horizon, [
    [0, ridge.top],
    [1, ridge.foot],
  ])
  paint.fill()
}

/** The water mirrors what lies above it, darker, and broken by waves that grow towards the viewer. */
function drawLake(paint: CanvasRenderingContext2D, canvas: HTMLCanvasElement): void {
  const depth = height - horizon
  // Drawn from a copy: a canvas that draws itself is copied anew for every row.
  const above = newCanvas(horizon)
  above.paint.drawImage(canvas, 0, 0)
  for (let row = 0; row < depth; row++) {
    const near = row / depth
    const sway = Math.sin(row * 0.9 + near * 40) * (0.6 + 10 * near ** 1.4) + Math.sin(row * 0.23) * 3 * near
    const source = Math.max(0, horizon - 2 - row * 1.3 - Math.abs(Math.sin(row * 0.7)) * 6 * near)
    paint.drawImage(above.canvas, 0, source, width, 1, sway - 14, horizon + row, width + 28, 1.4)
  }
  paint.fillStyle = gradient(paint, horizon, height, [
    [0, 'rgba(40,30,60,0.12)'],
    [0.5, 'rgba(24,22,48,0.42)'],
    [1, 'rgba(12,14,32,0.82)'],
  ])
  paint.fillRect(0, horizon, width, depth)
  const random = seeded(21)
  for (let glint = 0; glint < 260; glint++) {
    const near = random()
    const y = horizon + 4 + near ** 1.3 * depth * 0.8
    const x = 820 + (random() + random() - 1) * (26 + near * 150)
    paint.fillStyle = `rgba(255,222,160,${0.1 + 0.4 * random() * (1 - near)})`
    paint.fillRect(x, y, 8 + near * 46 * random(), 1 + near * 1.6)
  }
  const mist = gradient(paint, horizon - 34, horizon + 26, [
    [0, 'rgba(255,214,178,0)'],
    [0.55, 'rgba(255,216,184,0.5)'],
    [1, 'rgba(255,214,178,0)'],
  ])
  paint.fillStyle = mist
  paint.fillRect(0, horizon - 34, width, 60)
}

function drawBoat(paint: CanvasRenderingContext2D, x: number, y: number): void {
  paint.save()
  paint.translate(x, y)
  paint.fillStyle = 'rgba(8,9,20,0.45)'
  paint.beginPath()
  paint.ellipse(6, 26, 118, 9, 0, 0, 7)
  paint.fill()
  paint.fillStyle = '#14121f'
  paint.beginPath()
  paint.moveTo(-98, 0)
  paint.quadraticCurveTo(-70, 27, -40, 28)
  paint.lineTo(52, 28)
  paint.quadraticCurveTo(88, 26, 112, -8)
  paint.quadraticCurveTo(30, 12, -98, 0)
  paint.fill()
  paint.strokeStyle = 'rgba(255,190,120,0.85)'
  paint.lineWidth = 2
  paint.beginPath()
  paint.moveTo(-97, 0)
  paint.quadraticCurveTo(30, 12, 111, -8)
  paint.stroke()
  paint.fillStyle = '#1c1826'
  paint.fillRect(-2, -150, 4, 156)
  paint.fillStyle = gradient(paint, -150, 0, [
    [0, '#f7d9ae'],
    [1, '#d98a63'],
  ])
  paint.beginPath()
  paint.moveTo(6, -148)
  paint.quadraticCurveTo(78, -70, 84, -18)
  paint.lineTo(6, -10)
  paint.fill()
  paint.fillStyle = '#b9675a'
  paint.beginPath()
  paint.moveTo(-6, -132)
  paint.quadraticCurveTo(-40, -60, -66, -14)
  paint.lineTo(-6, -10)
  paint.fill()
  paint.restore()
}

function drawShore(paint: CanvasRenderingContext2D): void {
  const random = seeded(3)
  paint.fillStyle = '#090a14'
  paint.beginPath()
  paint.moveTo(width, height)
  paint.lineTo(width, 640)
  paint.quadraticCurveTo(1130, 655, 1010, 692)
  paint.quadraticCurveTo(900, 712, 760, height)
  paint.fill()
  paint.strokeStyle = '#090a14'
  for (let reed = 0; reed < 90; reed++) {
    const x = 880 + random() ** 0.7 * 400
    const foot = 700 - (x - 880) * 0.11
    const length = 40 + random() * 92
    const lean = (random() - 0.35) * 34
    paint.lineWidth = 1 + random() * 1.8
    paint.beginPath()
    paint.moveTo(x, foot + 14)
    paint.quadraticCurveTo(x + lean * 0.3, foot - length * 0.6, x + lean, foot - length)
    paint.stroke()
  }
}

function seeded(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
