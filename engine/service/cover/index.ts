export {
  adjustCover,
  disputeCover,
  listCovers,
  removeCoverRule,
  resolveCover,
  sendCover,
  setCoverRule,
  showCover,
} from './cover.js';
