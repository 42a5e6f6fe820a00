import { defineComponent, h } from 'vue';

/** Made by code, as renderless and wrapping components often are. */
export default defineComponent({
  name: 'CareTip',
  props: { text: { type: String, required: true } },
  setup: (props) => () => h('aside', { class: 'tip' }, [h('em', 'Tip: '), props.text]),
});
