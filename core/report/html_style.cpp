#include "report/html_style.h"

namespace divdet {

std::string_view htmlStyle() {
    return R"css(
:root{color-scheme:light dark;--window:#f1f3f6;--panel:#fff;--plot:#fff;--alt:#f7f9fb;--border:#d5dae2;--grid:#e6e9ee;
--axis:#6b7583;--t1:#171b22;--t2:#465060;--t3:#596371;--accent:#1d5fb4;--within:#00695c;--withinBg:#ddf2ee;
--outside:#a83508;--outsideBg:#fde7dc;--incon:#745200;--inconBg:#fff1cc;--incomp:#633a9c;--incompBg:#efe7fa;
--curve2:#7a4b00;--lo:#cfe0f5;--hi:#0b2c5a;--broken:#961452}
@media (prefers-color-scheme:dark){:root{--window:#15181d;--panel:#1d2128;--plot:#1a1e24;--alt:#222730;--border:#353c47;
--grid:#2b313b;--axis:#8b96a5;--t1:#dde3eb;--t2:#b7c0cc;--t3:#9faab9;--accent:#74adf3;--within:#55d3bf;
--withinBg:#12332f;--outside:#ff9a6c;--outsideBg:#40231a;--incon:#f0c552;--inconBg:#3a2f12;--incomp:#c6a8f4;
--incompBg:#2f2545;--curve2:#d9a85b;--lo:#1c3a5e;--hi:#f2f8ff;--broken:#e86fb0}}
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--t1);font:15px/1.5 system-ui,"DejaVu Sans",sans-serif}
main{max-width:1320px;margin:0 auto;padding:24px 16px 48px}
h1{font-size:20px;margin:0 0 16px}h2{font-size:18px;margin:24px 0 12px;overflow-wrap:anywhere}
h3{font-size:15px;margin:24px 0 8px}h4{font-size:14px;margin:16px 0 8px;overflow-wrap:anywhere}
section{background:var(--panel);border:1px solid var(--border);border-radius:8px;padding:4px 20px 20px;margin:0 0 20px}
p{margin:8px 0}.quiet{color:var(--t2)}
.verdict{border-left:5px solid;border-radius:4px;padding:10px 14px;margin:12px 0;overflow-wrap:anywhere}
.verdict b{display:block;font-size:16px}
.within{color:var(--within)}.outside{color:var(--outside)}.inconclusive,.incomplete{color:var(--incon)}
.incomparable,.unreadable{color:var(--incomp)}.traced{color:var(--t3)}
div.within{background:var(--withinBg)}div.outside{background:var(--outsideBg)}
div.inconclusive,div.incomplete{background:var(--inconBg)}div.incomparable,div.unreadable{background:var(--incompBg)}
.verdict p{color:var(--t1);margin:4px 0 0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;width:100%}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--border);vertical-align:top}
th{color:var(--t2);font-weight:600;white-space:nowrap}td{overflow-wrap:break-word}
td:first-child{min-width:min(26ch,45vw);overflow-wrap:anywhere}td.v{font-weight:600}td.n,td.v{white-space:nowrap}
code,pre{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;background:var(--alt);border:1px solid var(--border);
border-radius:4px}code{padding:1px 5px;overflow-wrap:anywhere}pre{padding:8px 12px;overflow-x:auto;margin:6px 0 12px}
.plots{display:flex;flex-wrap:wrap;gap:12px}svg{max-width:100%;height:auto;border:1px solid var(--border);
border-radius:6px;background:var(--plot)}
svg text{font:11.5px system-ui,"DejaVu Sans",sans-serif;fill:var(--t2)}svg .head{font-size:13px;font-weight:600;fill:var(--t1)}
svg .tick{font-size:11px;fill:var(--t3)}.ground{fill:var(--plot);stroke:var(--grid)}.grid{stroke:var(--grid)}
.axis{stroke:var(--axis)}.withinArea{fill:var(--withinBg)}.outsideArea{fill:var(--outsideBg)}
svg .withinWord{fill:var(--within);font-weight:600}svg .outsideWord{fill:var(--outside);font-weight:600}
.curve{fill:none;stroke:var(--accent);stroke-width:2}.curve2{fill:none;stroke:var(--curve2);stroke-width:1.5;stroke-dasharray:5 3}
.bound{fill:none;stroke:var(--outside);stroke-width:2}.boundEither{fill:none;stroke:var(--outside);stroke-width:1.5;stroke-dasharray:4 3}
.chosen{fill:var(--outside);stroke:var(--plot);stroke-width:1.5}.preset{fill:var(--t3);stroke:var(--plot)}
.withinDot{fill:var(--within);stroke:var(--plot)}.outsideDot{fill:var(--outside);stroke:var(--plot)}
.bar{fill:var(--accent)}.broken{fill:var(--broken)}
.density{fill:var(--lo)}.d2{fill:color-mix(in srgb,var(--hi) 12%,var(--lo))}.d3{fill:color-mix(in srgb,var(--hi) 26%,var(--lo))}
.d4{fill:color-mix(in srgb,var(--hi) 40%,var(--lo))}.d5{fill:color-mix(in srgb,var(--hi) 55%,var(--lo))}
.d6{fill:color-mix(in srgb,var(--hi) 70%,var(--lo))}.d7{fill:color-mix(in srgb,var(--hi) 85%,var(--lo))}.d8{fill:var(--hi)}
@media print{body{background:#fff}section{break-inside:auto}svg{break-inside:avoid}}
)css";
}

} // namespace divdet
