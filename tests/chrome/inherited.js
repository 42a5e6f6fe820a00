// For each longhand: does a child take it from its parent? Null where no value of the pool tells.
(() => {
  // biome-ignore format: one value beside the other
  const POOL = ['1px','7px','3','2','0.5','50%','red','none','auto','hidden','visible','center','left','right','end','both','bold','italic','oblique','small-caps','1s','block','flex','inline','rtl','vertical-rl','underline','dashed','nowrap','wrap','break-word','anywhere','url("#x")','"x"','all','normal','sub','circle','inside','collapse','pointer','dark','geometricPrecision','optimizeSpeed','crisp-edges','pixelated','separate','bottom','top','balance','pretty','stable','preserve','uppercase','compact','under','bevel','round','evenodd','middle','line','over','each-line','full-width','no-autospace','trim-start','trim-all','space-all','distribute','alternate','upright','mixed','open','filled dot','exact','economy','standard','inert','allow-keywords','numeric-only','titling-caps','sub','super','emoji','text','historical-forms','oldstyle-nums','jis78','"smcp" 1','"wght" 500','"ENG"','"a" "b"','1px 2px','2px 2px red','3px solid','read-write','disc','loose','strict','manual','from-image','add','linearrgb','optimizeQuality','ltr','rl','flat','no-limit','constrained','5 2 2','rgb(1,2,3)','light','dark light','serif','1.5','20px','keep-all','slice','clone', 'cross-fade','square','start','stretch','contents','grid','sticky','fixed','absolute','relative','scroll','table','isolate','multiply','paint','size','layout','smooth','contain','thin','subgrid','span 2','1 / 2','cover','ellipsis','matrix(1,0,0,1,5,5)','blur(2px)','circle(5px)','--a','a','allow-discrete','row','column','dense','reverse','wrap-reverse','ease-in','infinite','paused','x mandatory','always','avoid','luminance','alpha','content-box','border-box','padding-box','5deg','1 1','10%  20%', 'crispEdges','optimizeLegibility','use-script','alphabetic','hanging','stroke','markers','bar','underscore','ruby','inter-word','inter-character','cap alphabetic','text text','disabled','spell-out','digits','match-parent','justify','hide','show','font-size','ex-height 0.5','light','--p','space-around','ideograph-alpha','from-font','no-drop','grayscale','antialiased','disc','bidi-override','none both'];
  document.body.innerHTML = '<div><div></div></div>';
  const parent = document.body.firstElementChild;
  const child = parent.firstElementChild;
  const lines = 'border-style:solid;outline-style:solid;column-rule-style:solid;position:relative';
  const value = (element, name) => getComputedStyle(element).getPropertyValue(name);
  const under = (name, keyword) => {
    child.style.setProperty(name, keyword);
    return value(child, name);
  };
  const measure = (name) => {
    for (const each of POOL) {
      parent.style.cssText = child.style.cssText = lines;
      parent.style.setProperty(name, each);
      const inherited = under(name, 'inherit');
      if (inherited !== under(name, 'initial')) return under(name, 'unset') === inherited;
    }
    return null;
  };
  const names = [...getComputedStyle(parent)].filter((name) => !name.startsWith('--'));
  return Object.fromEntries(names.map((name) => [name, measure(name)]));
})();
