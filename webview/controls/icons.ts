/** The icons of buttons, on a grid of 16 × 16, like those of `src/core/drawing/icons`. */
export const controlIcons = {
  openLine: 'M6.5 3.5h-4v10h10v-4 M9 2.5h4.5V7 M13.5 2.5 7.5 8.5',
  goTo: 'M2.5 8h10.5 M9 4l4 4-4 4',
  link: 'M6.5 9.5l3-3 M7.5 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4l-1.5 1.5 M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5',
  copy: 'M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3',
  openFile: 'M3.5 1.5h6l3 3v10h-9z M9.5 1.5v3h3',
  subagent:
    'M4.5 6v7 M4.5 9.5h5a2 2 0 0 0 2-2V6 M4.5 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4z M11.5 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z M10.2 10.2 14 14',
  up: 'M3.5 10 8 5.5l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  right: 'M6 3.5 10.5 8 6 12.5',
  close: 'M3.5 3.5l9 9 M12.5 3.5l-9 9',
  table: 'M2 3h12v10H2z M2 6.3h12 M2 9.7h12 M6.5 6.3V13',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6 M13 2v3h-3',
  filter: 'M2.5 3.5h11l-4.3 5v4.5l-2.4-1.5v-3z',
  session: 'M2.5 3.5h11 M2.5 8h11 M2.5 12.5h7',
  sideBar: 'M2 2.5h12v11H2z M6.5 2.5v11',
  graph: 'M2.5 2.5v11h11 M5.5 11V8 M8.5 11V4.5 M11.5 11V6.5',
  more: 'M2.6 7.6h.8v.8h-.8z M7.6 7.6h.8v.8h-.8z M12.6 7.6h.8v.8h-.8z',
  theme: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z M8 2.5v11 M8 4.5h3.5 M8 7h5.2 M8 9.5h5.1 M8 12h3.2',
  information: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M8 7.3v3.7 M8 4.8v.6',
  warning: 'M8 2.3 14.2 13H1.8z M8 6.3v3.4 M8 11v.6',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M5.8 5.8l4.4 4.4 M10.2 5.8l-4.4 4.4',
} as const;
export type ControlIcon = keyof typeof controlIcons;
