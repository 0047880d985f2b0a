// Holdfast in the block checkout: a name and a line. The buyer is led on once the order exists.
(() => {
  const { createElement } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const { title = "Holdfast", description = "" } = window.wc.wcSettings.getSetting("holdfast_data", {});
  const content = createElement("p", null, decodeEntities(description));
  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: "holdfast",
    label: decodeEntities(title),
    ariaLabel: decodeEntities(title),
    content,
    edit: content,
    canMakePayment: () => true,
    supports: { features: ["products"] },
  });
})();
