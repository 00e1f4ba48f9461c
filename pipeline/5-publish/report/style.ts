/** The look of a report: ink on paper, two hues that are told apart without red and green, and a dark side. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fcfbf8;--panel:#fff;--ink:#1c242c;--muted:#56616c;--rule:#dedbd3;--faint:#ebe8e1;
--up:#b4550f;--down:#1f5f99;--mean:#1c242c;--band:#9db8d2;--heat:#6fa3d3;--good:#1e6b45;--bad:#a3242b;--warn:#8a5a00;
--s:#4d6b80;--mid:#98a2ab;--rest:#dedbd4}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--panel:#1a1e23;--ink:#e7e5e0;--muted:#a3acb5;--rule:#343b43;--faint:#262c33;
--up:#eb9c55;--down:#6fb0e6;--mean:#f3f1ec;--band:#3f5f7d;--heat:#336a9c;--good:#6cc598;--bad:#f08a88;--warn:#e0b057;
--s:#8fb0c6;--mid:#6d7883;--rest:#343b43}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header.top{max-width:1280px;margin:0 auto;padding:0 clamp(16px,4vw,48px)}
header.top{padding-top:clamp(28px,5vw,60px)}
h1,h2{font-family:Charter,"Bitstream Charter","Iowan Old Style",Georgia,"Times New Roman",serif;font-weight:600;line-height:1.15;letter-spacing:-.01em}
h1{font-size:clamp(30px,4.6vw,46px);margin:0 0 6px}
h2{font-size:24px;margin:0 0 6px}
h3{font-size:16px;font-weight:650;margin:36px 0 4px}
h4{font-size:13.5px;font-weight:650;margin:0}
p{margin:0 0 14px;max-width:76ch}
a{color:var(--down)}
.over{font-size:12px;letter-spacing:.09em;text-transform:uppercase;color:var(--muted);margin:0 0 10px}
.lede,.note{color:var(--muted)}
.note{font-size:13px;max-width:96ch}
.verdict{font-size:17px;max-width:80ch;margin:22px 0;padding:2px 0 2px 16px;border-left:4px solid var(--good)}
.verdict.warn{border-color:var(--warn)}.verdict.bad{border-color:var(--bad)}
.verdict strong{display:block}
dl.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:18px 32px;margin:0;padding:18px 0;border-top:1px solid var(--rule);border-bottom:1px solid var(--rule)}
dl.figures div{min-width:0}dl.figures dt{font-size:12.5px;color:var(--muted)}
dl.figures dd{margin:0;font-size:24px;font-variant-numeric:tabular-nums;overflow-wrap:anywhere;line-height:1.25}
dl.figures dd.small{font-size:14px;line-height:1.5;padding-top:6px}
nav{font-size:13.5px;margin:14px 0 0;display:flex;flex-wrap:wrap;gap:4px 20px}
nav a{color:var(--muted);text-decoration:none;border-bottom:1px solid var(--rule)}
section{margin:clamp(44px,6vw,72px) 0 0}
footer{max-width:1280px;margin:64px auto 0;padding:20px clamp(16px,4vw,48px) 48px;color:var(--muted);font-size:13px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,264px),1fr));gap:26px 30px;margin:18px 0 0}
figure{margin:0;min-width:0;break-inside:avoid;display:flex;flex-direction:column;justify-content:space-between;border-top:1px solid var(--rule);padding-top:9px}
figcaption{margin:0 0 6px}figcaption p{font-size:12px;line-height:1.4;color:var(--muted);margin:1px 0 0;font-variant-numeric:tabular-nums}figcaption b{font-weight:600;color:var(--ink)}
svg{display:block;width:100%}svg.plot{height:auto;overflow:visible}
svg text{font:10.5px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--muted);font-variant-numeric:tabular-nums}
svg .y{text-anchor:end}svg .x{text-anchor:middle}
.rule{stroke:var(--faint);fill:none}.axis{stroke:var(--muted);stroke-opacity:.6;fill:none}
circle.up{fill:var(--up);fill-opacity:.7}circle.down{fill:var(--down);fill-opacity:.7}circle.even{fill:var(--muted);fill-opacity:.5}
.bin{fill:none;stroke-width:3;stroke-linecap:round}.bin.up{stroke:var(--up)}.bin.down{stroke:var(--down)}.bin.even{stroke:var(--muted)}
.b1{stroke-opacity:.3}.b2{stroke-opacity:.6}.b3{stroke-opacity:1}
.line{fill:none;stroke:var(--mean);stroke-width:1.4;stroke-linejoin:round}.gap{fill:none;stroke:var(--mean);stroke-opacity:.35;stroke-dasharray:2 3}
circle.mean{fill:var(--mean)}
.band{fill:var(--band);fill-opacity:.5}
.keys{display:flex;flex-wrap:wrap;gap:2px 20px;font-size:13px;color:var(--muted);margin:0}.key{display:inline-flex;align-items:center;gap:7px}
.key i{display:inline-block;width:11px;height:11px;border-radius:50%}
.key i.sq{border-radius:2px}.key i.ln{height:2px;width:18px;border-radius:0;background:var(--mean)}.key i.bn{height:10px;width:18px;border-radius:0;background:var(--band)}
.key i.tick{width:3px;height:15px;border-radius:0;background:var(--ink)}
${['up', 'down', 's', 'mid', 'rest'].map((tone) => `i.${tone}{background:var(--${tone})}rect.${tone}{fill:var(--${tone})}`).join('')}
svg.bar{height:24px}.halo,.was{fill:none;stroke:var(--paper);stroke-width:4;vector-effect:non-scaling-stroke}.was{stroke:var(--ink);stroke-width:2}
.shares{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:24px 48px;margin-top:18px}
.shares h4{margin-bottom:2px}.shares ul{list-style:none;margin:3px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:2px 18px;font-size:12.5px}
.shares li{display:flex;align-items:center;gap:6px;font-variant-numeric:tabular-nums}.shares li span{color:var(--muted)}
.shares i{display:inline-block;width:10px;height:10px;border-radius:2px}
svg.balance{height:14px}.balance .up{fill:var(--up)}.balance .down{fill:var(--down)}.zero{fill:var(--muted)}
.scroll{overflow-x:auto;margin:14px 0 0;max-width:100%}.scroll+.note{margin-top:12px}
.scroll:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--down);outline-offset:2px}
table{border-collapse:collapse;font-size:13px;line-height:1.4;width:100%}
table.heat,table.fit{width:auto}
caption{text-align:left;color:var(--muted);font-size:12.5px;padding-bottom:6px}
.quiet{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
th,td{text-align:left;vertical-align:top;padding:6px 18px 6px 0;border-bottom:1px solid var(--faint);font-weight:400}
thead th{font-size:12px;color:var(--muted);border-bottom:1px solid var(--rule);vertical-align:bottom}
tbody th{font-weight:550}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.heat td,.heat thead .n{padding:5px 3px;min-width:34px;border:1px solid var(--paper);font-size:11.5px;text-align:center}.heat thead th{border-bottom:0}
.heat tbody th,.heat thead th:first-child{position:sticky;left:0;background:var(--paper)}.heat tbody th{padding:5px 14px 5px 0;border:0;min-width:110px}.heat tbody th,.heat bdi{overflow-wrap:normal}
.day{white-space:nowrap}.named wbr{display:none}thead .n{white-space:normal}.documents tbody th{min-width:140px}.title{min-width:170px}
.ranks{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr));gap:0 48px}.rank tbody th{min-width:96px}.rank td:last-child{width:30%;min-width:110px;padding-right:0;vertical-align:middle}.rank td:first-child{width:3ch}
${Array.from({ length: 10 }, (_, at) => `.h${at + 1}{background:color-mix(in srgb,var(--heat) ${(at + 1) * 9}%,var(--paper))}`).join('')}
code,.mono{font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:break-word}
.pass{color:var(--good);font-weight:600;white-space:nowrap}.fail{color:var(--bad);font-weight:600;white-space:nowrap}.warning{color:var(--warn);font-weight:600;white-space:nowrap}
bdi{overflow-wrap:break-word}td bdi,.subjects .mono{overflow-wrap:anywhere}.amounts{min-width:200px}.note{font-weight:400}
details{margin:10px 0 0}summary{cursor:pointer;color:var(--down);font-size:13.5px;width:fit-content}
.reasons{list-style:none;margin:14px 0 0;padding:0}.reasons>li{padding:14px 0;border-top:1px solid var(--rule);display:grid;grid-template-columns:minmax(64px,90px) minmax(0,1fr);gap:0 18px}
.reasons .count{font-size:24px;font-variant-numeric:tabular-nums;line-height:1.2}.reasons .what{margin:0 0 6px;overflow-wrap:anywhere}
.subjects{margin:0;padding:0;list-style:none;font-size:12.5px;color:var(--muted)}.subjects li{overflow-wrap:anywhere;padding:1px 0}
@media (max-width:520px){th,td{padding-right:12px}.named wbr{display:inline}.named th,.named td{padding-right:8px}.rank th,.rank td{padding-right:8px}.rank tbody th{min-width:80px}.rank td:last-child{min-width:64px}.reasons>li{grid-template-columns:1fr}.lede{font-size:14px}}
@media print{:root{color-scheme:light;--paper:#fff;--panel:#fff;--ink:#111;--muted:#4a4a4a;--rule:#bbb;--faint:#ddd;--up:#b4550f;--down:#1f5f99;--mean:#111;--band:#9db8d2;--heat:#6fa3d3;--good:#1e6b45;--bad:#a3242b;--warn:#8a5a00;--s:#4d6b80;--mid:#98a2ab;--rest:#dedbd4}
body{font-size:10.5pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}nav{display:none}main,header.top,footer{padding-left:0;padding-right:0}.scroll{overflow:visible}section{margin-top:28px}h2,h3,h2+.note,h3+.note,.keys{break-after:avoid}tr,.shares>div,.reasons>li{break-inside:avoid}
.grid{grid-template-columns:repeat(3,1fr);gap:14px 18px}.shares,.ranks{grid-template-columns:1fr 1fr}.ranks{gap:0 20px}table{font-size:8.5pt}th,td{padding-right:8px}.heat td,.heat thead .n{min-width:0;padding:3px 0;font-size:6.5pt}.heat tbody th{min-width:120px;padding-right:6px}
.documents,.documents thead th{font-size:6.5pt}.documents th,.documents td{padding-right:5px}.documents tbody th{min-width:70px}.documents .title{min-width:104px}}
@page{margin:14mm}
`;
